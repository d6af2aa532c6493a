import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkLaws, DEFAULT_RESOURCE_TIMINGS } from '@davit/domain';
import { seededRandom } from '@davit/ports';
import { createBackendRegistry } from './registry.js';
import { resourceController } from './resource-controller.js';
import { RandomProvider, type Trouble } from './testing/random-provider.js';
import { Crash, type PassHooks, Rig } from './testing/rig.js';

const NO_TROUBLE: Trouble = { unreadable: 0, lostReply: 0, lostRequest: 0, refused: 0, lies: 0, death: 0 };
const share = fc.double({ min: 0, max: 0.5, noNaN: true });
const trouble = fc.record<Trouble>({
  unreadable: share,
  lostReply: share,
  lostRequest: share,
  refused: fc.double({ min: 0, max: 0.2, noNaN: true }),
  lies: share,
  death: fc.double({ min: 0, max: 0.05, noNaN: true }),
});

interface Life {
  readonly seed: number;
  readonly trouble: Trouble;
  /** Share of appends after which the process dies. */
  readonly crashes: number;
  readonly steals: number;
}

const life = fc.record<Life>({
  seed: fc.integer(),
  trouble,
  crashes: fc.double({ min: 0, max: 0.4, noNaN: true }),
  steals: fc.double({ min: 0, max: 0.3, noNaN: true }),
});

/** One life of one replica: launched, followed for a while, deleted, with trouble all along and none at the very end. */
async function live({ seed, trouble: troubles, crashes, steals }: Life) {
  const random = seededRandom(seed);
  const rig = new Rig();
  const hiddenMs = DEFAULT_RESOURCE_TIMINGS.visibilityMs - 5_000;
  const provider = new RandomProvider(random, () => rig.clock.nowMs(), troubles, hiddenMs);
  // A fresh controller for each process: nothing but the log outlives a crash.
  const build = () => resourceController({ backends: createBackendRegistry([provider]) });
  let controller = build();
  let calm = false;
  const wronglyConfirmed: string[] = [];
  const hooks: PassHooks = {
    afterAppend: async (types) => {
      if (types.some((type) => type.endsWith('absence-confirmed')) && provider.exists(rig.externalKey)) {
        wronglyConfirmed.push(types.join());
      }
      if (calm) return;
      if (random.next() < steals) await rig.stealLease();
      if (random.next() < crashes) throw new Crash();
    },
  };
  const run = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      await rig.clock.advance(1_000);
      try {
        await rig.pass(controller, hooks);
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        controller = build();
      }
    }
  };
  await rig.requested();
  // Nobody asks for a launch while it is unknown whether the thing exists.
  do await run(5);
  while (rig.replica.discovery.outcome !== 'absent');
  await rig.launchRequested();
  // A deletion may come while the launch is not even visible yet.
  await run(1 + Math.floor(random.next() * 60));
  await rig.deleteRequested();
  await run(60);
  calm = true;
  provider.trouble = NO_TROUBLE;
  await run(200);
  return { rig, provider, wronglyConfirmed };
}

describe('any life of a replica, with crashes, lost leases and a provider in trouble', () => {
  test('one key is launched at most once, ends proven gone and with nothing left, and keeps the laws', async () => {
    await fc.assert(
      fc.asyncProperty(life, async (parameters) => {
        const { rig, provider, wronglyConfirmed } = await live(parameters);
        expect(provider.launches).toBeLessThanOrEqual(1);
        expect(wronglyConfirmed).toEqual([]);
        expect(rig.replica.absence.confirmedAt).not.toBeNull();
        expect(provider.exists(rig.externalKey)).toBe(false);
        expect(checkLaws(rig.events, { ended: true })).toEqual([]);
      }),
      { numRuns: 150 },
    );
  }, 60_000);
});
