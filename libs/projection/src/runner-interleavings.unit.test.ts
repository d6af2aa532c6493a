import { describe, expect, it } from '@jest/globals';
import { VirtualClock, seededRandom, silentLogger } from '@davit/ports';
import fc from 'fast-check';
import { canonicalJson } from './canonical-json.js';
import { MemoryProjectionStore } from './memory/memory-store.js';
import type { Document } from './projection.js';
import { refId } from './refs.js';
import { type ProjectionRunner, createProjectionRunner } from './runner.js';
import { ArrayLog, ScriptedFeed } from './testing/array-log.js';
import { contentOf, plainFold } from './testing/plain-fold.js';
import { loadEvent, sampleProjection } from './testing/sample-projection.js';
import { slowStore } from './testing/slow-store.js';

const definition = sampleProjection();
const INSTANCES = 3;

/** One instance of a service: its runner, its feed, and what its observer believes. */
interface Instance {
  readonly feed: ScriptedFeed;
  readonly runner: ProjectionRunner;
  readonly seen: Map<string, Document | undefined>;
  liveAt: number | undefined;
}

const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('append'),
      loads: fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('deliver'),
      to: fc.nat(INSTANCES - 1),
      picks: fc.array(fc.nat(80), { maxLength: 20 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart'), which: fc.nat(INSTANCES - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('log-fault') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose-tables') }) },
);
type Action = {
  do: string;
  loads?: [number, number][];
  to?: number;
  picks?: number[];
  ms?: number;
  which?: number;
};

describe('projection runners of rival instances', () => {
  it('end in the documents of a plain fold, and tell every observer, whatever the feed repeats, skips or reorders', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), fc.nat(), async (actions: Action[], seed) => {
        const clock = new VirtualClock();
        const random = seededRandom(seed);
        const log = new ArrayLog();
        const shared = new MemoryProjectionStore();

        const create = (): Instance => {
          const feed = new ScriptedFeed();
          const seen = new Map<string, Document | undefined>();
          const store = slowStore(shared, clock, random, 30);
          const runner = createProjectionRunner({ definition, store, log, feed, clock, logger: silentLogger });
          const instance: Instance = { feed, runner, seen, liveAt: undefined };
          runner.observe({
            onChanged: (changes) => {
              for (const change of changes) seen.set(refId(change), change.document);
            },
            onLive: (position) => {
              instance.liveAt = position;
            },
          });
          runner.start();
          return instance;
        };
        const instances = Array.from({ length: INSTANCES }, create);

        for (const step of actions) {
          for (const [replica, running] of step.loads ?? []) {
            log.events.push(loadEvent(log.events.length + 1, `acme/chat-1-${replica}-1`, running));
          }
          if (step.picks) {
            void instances[step.to ?? 0]?.feed.deliver(step.picks.flatMap((pick) => log.events[pick] ?? []));
          }
          if (step.which !== undefined) {
            const stopped = instances[step.which]?.runner.stop();
            await clock.runUntil(
              () => Promise.race([stopped?.then(() => true), Promise.resolve(false)]).then(Boolean),
              1_000,
            );
            instances[step.which] = create();
          }
          if (step.do === 'lose-tables') shared.clear();
          log.fault = step.do === 'log-fault' ? new Error('connection reset') : undefined;
          await clock.advance(step.ms ?? 5);
        }
        log.fault = undefined;
        await clock.advance(8_000);

        expect(await contentOf(shared)).toEqual(plainFold(definition, log.events));
        // Tables lost and rebuilt between two looks of an instance can hide a change from its observers until they list anew.
        const lossless = !actions.some((step) => step.do === 'lose-tables');
        const final = lossless ? await shared.scan(undefined, 1_000) : [];
        for (const { runner, seen, liveAt } of instances) {
          expect(runner.status()).toMatchObject({ state: 'live', position: log.events.length });
          for (const row of final.filter((document) => document.position > (liveAt ?? 0))) {
            expect(canonicalJson(seen.get(refId(row)))).toBe(canonicalJson(row.document));
          }
        }
        await Promise.all(
          instances.map(async ({ runner }) => {
            const stopped = runner.stop();
            await clock.advance(200);
            await stopped;
          }),
        );
      }),
      { numRuns: 150 },
    );
  }, 30_000);
});
