import { expect, test } from '@jest/globals';
import { operations, replayView } from '@davit/contracts';
import { createMemoryLog } from '@davit/event-log';
import { sequentialIds, systemClock } from '@davit/ports';
import { askedBy } from '../testing/asked-by.js';
import { ReplayController } from './replay.controller.js';

test('of a log in which nothing has happened yet nothing is decided again, and that is no mistake', async () => {
  const { log } = createMemoryLog({ clock: systemClock, ids: sequentialIds() });
  const evidence = { get: () => Promise.reject(new Error('nobody asks for evidence')) };
  const replays = new ReplayController({ evidence } as unknown as ConstructorParameters<typeof ReplayController>[0]); // only what is read
  const view = await replays.replay(askedBy(log), operations.replay.body.parse({}));
  expect(replayView.parse(view)).toEqual(view);
  expect(view).toMatchObject({ from: { position: 0 }, to: { position: 0 }, compared: 0, events: 0 });
});
