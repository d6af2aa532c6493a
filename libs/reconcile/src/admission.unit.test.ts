import { describe, expect, it } from '@jest/globals';
import { createMemoryLog } from '@davit/event-log';
import { VirtualClock, seededRandom, sequentialIds, silentLogger } from '@davit/ports';
import { createProjectionRunner, inMemoryProjectionStores } from '@davit/projection';
import { createControlLoop } from './control-loop.js';
import type { Controller } from './controller.js';
import { counters, wish } from './testing/counting.js';

const KEY = 'acme/chat-1-0-1';

/** A loop over a log that holds one wish, and the admission it waits for. */
async function asking() {
  const clock = new VirtualClock();
  const { log, leases, feed } = createMemoryLog({ clock, ids: sequentialIds() });
  await wish(log, KEY);
  const store = inMemoryProjectionStores().store(counters);
  const projection = createProjectionRunner({ definition: counters, store, log, feed, clock, logger: silentLogger });
  const passes: string[] = [];
  const heard: number[] = [];
  let answer: { allow: () => void; refuse: (reason: Error) => void } | undefined;
  const watch: Controller = {
    name: 'watch',
    keysOf: ({ key }) => [key],
    standingKeys: ['always'],
    reconcile: ({ key }) => {
      passes.push(key);
      return Promise.resolve({});
    },
  };
  const loop = createControlLoop({
    ...{ service: 'counter', instanceId: 'one', log, leases, projection, controllers: [watch] },
    ...{ clock, random: seededRandom(3), logger: silentLogger },
    admit: async () => {
      heard.push(await projection.model.position());
      await new Promise<void>((resolve, reject) => (answer = { allow: resolve, refuse: reject }));
    },
  });
  return { clock, loop, passes, heard, answer: () => answer };
}

describe('a control loop that has to be admitted', () => {
  it('is asked on the whole log, and acts on nothing before the answer', async () => {
    const { clock, loop, passes, heard, answer } = await asking();
    void loop.start();
    await clock.advance(0);
    await clock.advance(120_000);
    expect([heard, passes, loop.status().working]).toEqual([[1], [], false]);
    answer()?.allow();
    await clock.advance(10);
    expect(passes.toSorted()).toEqual([KEY, 'always'].toSorted());
    await loop.stop();
  });

  it('does not start where it is refused, and acts on nothing', async () => {
    const { clock, loop, passes, answer } = await asking();
    const refusal = loop.start().catch((error: unknown) => error);
    await clock.advance(10);
    answer()?.refuse(new Error('not here'));
    expect(await refusal).toMatchObject({ message: 'not here' });
    await clock.advance(120_000);
    expect([passes, loop.status().working]).toEqual([[], false]);
    await loop.stop();
  });

  it('acts on nothing when it was stopped before the answer', async () => {
    const { clock, loop, passes, answer } = await asking();
    void loop.start();
    await clock.advance(0);
    await clock.advance(10);
    await loop.stop();
    answer()?.allow();
    await clock.advance(120_000);
    expect([passes, loop.status().working]).toEqual([[], false]);
  });
});
