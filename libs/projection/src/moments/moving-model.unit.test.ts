import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MemoryProjectionStore } from '../memory/memory-store.js';
import type { ReadModel } from '../projection.js';
import { foldUpTo } from '../rebuild.js';
import { ArrayLog } from '../testing/array-log.js';
import { loadEvent, sampleProjection } from '../testing/sample-projection.js';
import { MovingModel } from './moving-model.js';

const definition = sampleProjection();
const kinds = ['replica', 'tenant'];

async function foldOf(log: ArrayLog, position: number): Promise<MemoryProjectionStore> {
  const store = new MemoryProjectionStore();
  await foldUpTo(definition, log, store, 0, position);
  return store;
}

/** Everything there is, and each group of it. */
const contentOf = async (model: Pick<ReadModel, 'get' | 'list'>): Promise<unknown> => ({
  lists: await Promise.all(
    [['replica'], ['tenant'], ...[1, 2, 3].map((load) => ['replica', `load:${load}`])].map(([kind = '', group]) =>
      model.list(kind, group),
    ),
  ),
  one: await model.get('replica', 'acme/chat-1-1-1'),
});

describe('documents while a log is read', () => {
  it('are after each event what the fold up to it says, wherever reading began', async () => {
    const loads = fc.array(fc.record({ replica: fc.nat(3), running: fc.nat(3) }), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(loads, fc.nat(30), async (events, begin) => {
        const log = new ArrayLog();
        for (const [at, { replica, running }] of events.entries())
          log.events.push(loadEvent(at + 1, `acme/chat-1-${replica}-1`, running));
        const from = begin % (events.length + 1);
        const moving = new MovingModel({ definition, before: await foldOf(log, from), kinds });
        for (const event of log.events.slice(from)) await moving.see(event);
        for (let position = from; position <= events.length; position++)
          expect(await contentOf(moving.at(position))).toEqual(await contentOf(await foldOf(log, position)));
      }),
      { numRuns: 40 },
    );
  });
});
