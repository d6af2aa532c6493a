import { expect, test } from '@jest/globals';
import { EVENT_DEFINITIONS } from '@davit/contracts';
import { createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import { foldedModel } from './folded-model.js';
import { plant } from './planted.js';

test('an event of every type there is can be planted, with the mark in it, and is folded', async () => {
  const { log } = createMemoryLog({ clock: systemClock, ids: sequentialIds() });
  const names = { tenant: 'acme', deployment: 'ours', mark: 'zqownmarkzq', keyId: 'ownownownown' };
  await plant(log, { ...names, uuid: '00000000-0000-4000-8000-000000000001' });
  const events = await log.read(0, 1_000);
  expect(new Set(events.map(({ type }) => type)).size).toBe(EVENT_DEFINITIONS.length);
  const marked = events.filter((event) => JSON.stringify(event.data).includes('zqownmarkzq'));
  expect(marked.length).toBeGreaterThan(EVENT_DEFINITIONS.length / 2);
  expect((await foldedModel(log).list('replica')).map(({ key }) => key)).toEqual(['acme/ours-1-0-1']);
});
