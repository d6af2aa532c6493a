import { expect, test } from '@jest/globals';
import { VirtualClock, sequentialIds } from '@davit/ports';
import { eventLogConformance } from '../testing/conformance.js';
import { appendTo } from '../testing/fixtures.js';
import { createMemoryLog } from './index.js';

eventLogConformance('the event log in memory', {
  empty: () => {
    const clock = new VirtualClock();
    return Promise.resolve({
      ...createMemoryLog({ clock, ids: sequentialIds() }),
      letPass: (ms: number) => clock.advance(ms),
    });
  },
});

test('the feed delivers what is there and what comes, in order, and repeats a page whose handler failed', async () => {
  const clock = new VirtualClock();
  const { log, feed } = createMemoryLog({ clock, ids: sequentialIds() });
  await appendTo(log, 'fleet/a', 0, 3);
  const seen: number[] = [];
  let failures = 1;
  const subscription = feed.subscribe(1, (events) => {
    if (failures-- > 0) return Promise.reject(new Error('not now'));
    seen.push(...events.map(({ position }) => position));
    return Promise.resolve();
  });
  await clock.advance(10);
  expect(seen).toEqual([]);
  await clock.advance(1_000);
  expect(seen).toEqual([2, 3]);
  await appendTo(log, 'fleet/b', 0, 2);
  await clock.advance(0);
  expect(seen).toEqual([2, 3, 4, 5]);
  await subscription.stop();
  await appendTo(log, 'fleet/b', 2);
  await clock.advance(0);
  expect(seen).toEqual([2, 3, 4, 5]);
});

test('events in memory cannot be changed by a reader', async () => {
  const { log } = createMemoryLog({ clock: new VirtualClock(), ids: sequentialIds() });
  await appendTo(log, 'fleet/a', 0);
  const [event] = await log.read(0, 1);
  expect(() => Object.assign(event?.data ?? {}, { detail: 'changed' })).toThrow(TypeError);
});
