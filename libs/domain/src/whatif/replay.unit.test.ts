import { describe, expect, it } from '@jest/globals';
import type { DeploymentSpec, NormalisedDeployment, Placement } from '@davit/contracts';
import fc from 'fast-check';
import { KEY } from '../testing/fleet.js';
import { checkLaws } from '../laws/index.js';
import { offerKeyOf } from '../placement/offer.js';
import { Replay } from './replay.js';
import type { Replayed, ReplayedSlot } from './result.js';
import type { ReplayOptions } from './scenes.js';
import { type Answer, Recorded, SIGNAL_LIFETIME_MS, specOf } from './testing/recorded.js';

const HOUR = 3_600_000;
const place = (cloud: string, name = 'L40S'): Placement => ({
  cloud,
  region: null,
  accelerator: { name, count: 1 },
  spot: false,
  maxHourlyPrice: null,
});
const offer = (cloud: string): string => offerKeyOf(place(cloud));
const ladder = (...clouds: readonly string[]): Partial<DeploymentSpec> => ({
  compute: {
    mode: 'elastic',
    adapter: 'skypilot',
    objective: 'cost',
    placements: clouds.map((cloud) => place(cloud)),
    diskGiB: 100,
  },
});
const some = (price: string | null = null): Answer => ({ state: 'available', price });
const none: Answer = { state: 'unavailable', price: null };
const unknown: Answer = { state: 'unknown', price: null };

function replayed(recorded: Recorded, options: Partial<ReplayOptions> = {}): Replayed {
  const fromMs = Date.parse(recorded.events[0]?.time ?? '');
  // What is decided in the first moment counts, too, where it takes the place of what was really decided.
  const against = { against: KEY, fromMs: fromMs - 1 };
  const own = options.against === null ? { fromMs } : {};
  const replay = new Replay({ spec: null, toMs: recorded.nowMs, ...against, ...own, ...options });
  for (const event of recorded.events) replay.see(event);
  return replay.finish();
}
const other = (change: Partial<DeploymentSpec>): { readonly spec: NormalisedDeployment } => ({ spec: specOf(change) });
const one = ({ slots }: Replayed): ReplayedSlot => {
  const [slot] = slots;
  if (!slot) throw new Error('no slot');
  return slot;
};
const ways = ({ decisions }: ReplayedSlot) => decisions.map(({ outcome, offer: where }) => where ?? outcome);

const answer = fc.record<Answer>({
  state: fc.constantFrom('available', 'constrained', 'unavailable', 'unknown'),
  price: fc.constantFrom(null, '0.40', '0.86', '1.10', '2.50'),
});
/** Some rungs may have no answer; what was sampled of them meanwhile is not the replica's own. */
const answers = fc.array(fc.option(answer, { freq: 5 }), { minLength: 3, maxLength: 3 });
const step = fc.oneof(
  fc.tuple(fc.constantFrom('runpod', 'vast', 'lambda'), answer).map(
    ([cloud, given]) =>
      (run: Recorded) =>
        run.sample(place(cloud), given),
  ),
  answers.map((given) => (run: Recorded) => run.answer(given)),
  fc.constantFrom('refused', 'served').map((how) => (run: Recorded) => run.launch(how)),
  fc.constant((run: Recorded) => run.proveGone()),
  fc.integer({ min: 1, max: 40 }).map((minutes) => (run: Recorded) => run.later(minutes * 30_000).settle()),
  fc
    .record({ replicas: fc.integer({ min: 0, max: 4 }), budget: fc.constantFrom(null, '1.50', '3.00') })
    .map(({ replicas, budget }) => (run: Recorded) => {
      const limits = { currency: 'USD', onExceed: 'refuse' as const };
      return run.declare({
        ...ladder('runpod', 'vast', 'lambda'),
        scaling: { replicas },
        budget: budget === null ? null : { maxHourly: budget, ...limits },
      });
    }),
);

describe('replaying the unchanged specification with the unchanged policy', () => {
  it('gives no difference in any decision, whatever happened', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.array(step, { minLength: 4, maxLength: 25 }),
        fc.constantFrom(undefined, 'cloud' as const),
        fc.constantFrom(undefined, 'best' as const),
        (steps, spread, selection) => {
          const chosen = { ...(spread ? { spread } : {}), ...(selection ? { selection } : {}) };
          const { compute } = ladder('runpod', 'vast', 'lambda');
          if (compute?.mode !== 'elastic') throw new Error('not elastic');
          const run = new Recorded().declare({ compute: { ...compute, ...chosen }, scaling: { replicas: 3 } });
          for (const take of steps) take(run);
          const result = replayed(run);
          compared += result.compared;
          expect(result.differences).toBe(0);
          expect(result.cost).toEqual(result.realCost);
          expect(checkLaws(run.events, { ended: false })).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(compared).toBeGreaterThan(50);
  });
  it('nor where a rung had no answer of its own, whatever was sampled of it meanwhile', () => {
    const run = new Recorded().declare({ ...ladder('runpod', 'vast'), scaling: { replicas: 1 } });
    run.answer([null, some()]).later(10_000).sample(place('runpod'), none).later(10_000).settle();
    expect(replayed(run)).toMatchObject({ compared: 1, differences: 0 });
    expect(ways(one(replayed(run)))).toEqual([offer('runpod')]);
  });
  it('nor where a decision rests on more than the position it states, being read while it grew', () => {
    const run = new Recorded().declare({ ...ladder('runpod', 'vast'), scaling: { replicas: 1 } });
    run.answer([none, some('0.40')]);
    const replay = new Replay({ spec: null, fromMs: run.nowMs - 1, toMs: run.nowMs, against: KEY });
    // Before the answers nothing was known, and the first rung would have been taken.
    for (const event of run.events) replay.see({ ...event, basedonposition: Math.max(0, event.position - 4) });
    expect(replay.finish()).toMatchObject({ compared: 1, differences: 0 });
  });
  it('gives none from the middle of a run either, what came before being remembered', () => {
    const run = new Recorded().declare(ladder('runpod', 'vast')).answer([none, none]);
    run
      .later(10 * 60_000)
      .settle()
      .answer([some('0.86'), some('0.40')])
      .launch('refused')
      .proveGone();
    const fromMs = run.nowMs;
    run
      .later(60_000)
      .settle()
      .answer([some('0.86'), some('0.40')])
      .launch('served')
      .later(HOUR);
    const result = replayed(run, { fromMs });
    expect(result).toMatchObject({ differences: 0, compared: 2 });
    expect(result.cost).toEqual(result.realCost);
  });
});

describe('another specification', () => {
  it('that would have come to rung two where the first was refused shows the fall, its reason, and the cost', () => {
    const run = new Recorded().declare({ ...ladder('runpod'), scaling: { replicas: 1 } });
    run.answer([some('0.86')]);
    run.sample(place('vast'), some('0.40'));
    run.later(30_000).launch('refused').later(HOUR);
    const result = replayed(run, other({ ...ladder('runpod', 'vast'), scaling: { replicas: 1 } }));
    // The first decision is the same, and what follows is what really happened.
    expect(ways(one(result))).toEqual([offer('runpod')]);
    expect(one(result).falls).toEqual([expect.objectContaining({ offer: offer('runpod') })]);
    const alone = replayed(run, { ...other({ ...ladder('runpod', 'vast'), scaling: { replicas: 1 } }), against: null });
    expect(ways(one(alone)).slice(-2)).toEqual([offer('runpod'), offer('vast')]);
    expect(one(alone).falls[0]?.because).toContain('none left');
  });

  it('that begins elsewhere goes its own way from the first other decision on, next to what was really decided', () => {
    const run = new Recorded();
    run.sample(place('vast'), some('0.40'));
    run
      .declare({ ...ladder('runpod'), scaling: { replicas: 1 } })
      .answer([some('0.86')])
      .launch('served')
      .later(HOUR);
    const result = replayed(run, other({ ...ladder('vast'), scaling: { replicas: 1 } }));
    expect(result).toMatchObject({ differences: 1, compared: 1 });
    const [decision] = one(result).decisions;
    expect(decision).toMatchObject({ offer: offer('vast'), real: { offer: offer('runpod'), outcome: 'placed' } });
    expect(one(result).machines).toEqual([expect.objectContaining({ offer: offer('vast'), readyBy: 'assumed' })]);
    // An hour and two minutes at 0.40, next to the same time at 0.86.
    expect(result.cost.amounts).toEqual([{ currency: 'USD', amount: expect.stringMatching(/^0\.41/) }]);
    expect(result.realCost?.amounts).toEqual([{ currency: 'USD', amount: expect.stringMatching(/^0\.88/) }]);
  });

  it('waits until something recorded changes, and steps when a signal runs out', () => {
    const run = new Recorded().sample(place('vast'), none);
    const startMs = run.nowMs;
    run.later(2 * HOUR).sample(place('lambda'), some());
    const result = replayed(run, { ...other({ ...ladder('vast'), scaling: { replicas: 1 } }), against: null });
    // Past its lifetime the signal is unknown, which does not block.
    expect(ways(one(result))).toEqual(['waits', offer('vast')]);
    const at = (ms: number): string => new Date(startMs + ms).toISOString();
    expect(one(result).waits).toEqual([expect.objectContaining({ from: at(0), to: at(SIGNAL_LIFETIME_MS) })]);
  });

  it('that wants more replicas rents more, and one that wants fewer says what it does not want', () => {
    const run = new Recorded().declare({ ...ladder('runpod'), scaling: { replicas: 2 } });
    run
      .answer([some('0.86')])
      .launch('served')
      .later(HOUR);
    const more = replayed(run, other({ ...ladder('runpod'), scaling: { replicas: 3 } }));
    expect(more.slots.map(({ machines }) => machines.length)).toEqual([1, 1, 1]);
    const fewer = replayed(run, other({ ...ladder('runpod'), scaling: { replicas: 1 } }));
    expect(fewer.slots).toHaveLength(1);
    expect(fewer.notWanted).toEqual([`${KEY}-1-1-1`]);
  });

  it('law-04: what has no price has no cost, and is time at an unknown price', () => {
    const run = new Recorded().sample(place('vast'), unknown).later(HOUR);
    const { cost } = replayed(run, { ...other({ ...ladder('vast'), scaling: { replicas: 1 } }), against: null });
    expect(cost).toMatchObject({ amounts: [], unpricedMs: HOUR });
  });

  it('under a budget waits where there is no price', () => {
    const run = new Recorded().sample(place('vast'), unknown).later(HOUR);
    const budget = { maxHourly: '1.00', currency: 'USD', onExceed: 'refuse' as const };
    const spec = other({ ...ladder('vast'), scaling: { replicas: 1 }, budget });
    const [wait] = one(replayed(run, { ...spec, against: null })).waits;
    expect(wait?.reason).toContain('no price is known and a budget is set');
  });

  it('under a budget takes a machine without a price to cost its ceiling, as it really would be', () => {
    const run = new Recorded().sample(place('vast'), unknown).later(HOUR);
    const budget = { maxHourly: '1.00', maxTotal: '50', currency: 'USD', onExceed: 'refuse' as const };
    const { compute } = ladder('vast');
    if (compute?.mode !== 'elastic') throw new Error('not elastic');
    const placements = [{ ...place('vast'), maxHourlyPrice: '0.40' }];
    const spec = other({ compute: { ...compute, placements }, scaling: { replicas: 3 }, budget });
    const { slots } = replayed(run, { ...spec, against: null });
    expect(slots.map(ways)).toEqual([[offer('vast')], [offer('vast')], ['waits']]);
    expect(slots[2]?.waits[0]?.reason).toContain('0.20 USD');
  });
});

describe('another policy', () => {
  it('ranks the same places by another objective', () => {
    const run = new Recorded().declare({ ...ladder('runpod', 'vast'), scaling: { replicas: 1 } });
    run.answer([some('0.86'), some('0.40')]).launch('served');
    expect(replayed(run).differences).toBe(0);
    const cheapest = replayed(run, { objective: 'cost' });
    expect(cheapest.differences).toBe(1);
    expect(ways(one(cheapest))).toEqual([offer('vast')]);
  });
  it('is a parameter', () => {
    const run = new Recorded().declare({ ...ladder('runpod', 'vast'), scaling: { replicas: 1 } });
    run.answer([some(), some()]);
    const nothing = replayed(run, {
      policy: () => ({ candidates: [], chosen: null, permanent: false, changesAtMs: null }),
    });
    expect(nothing).toMatchObject({ differences: 1 });
  });
});

describe('a refusal that really happened', () => {
  const refusedOn = (run: Recorded): Recorded =>
    run
      .answer([some('0.86')])
      .later(30_000)
      .launch('refused');
  it('refuses a start that was under way then, or began up to ten minutes before it', () => {
    const run = refusedOn(new Recorded().sample(place('runpod'), some()).declare(ladder('runpod')));
    const alone = replayed(run, { ...other({ ...ladder('runpod'), scaling: { replicas: 1 } }), against: null });
    expect(one(alone).falls).toHaveLength(1);
  });
  it('says nothing of one that began long before, and none of one that served meanwhile', () => {
    const late = new Recorded().sample(place('runpod'), some()).later(9 * 60_000);
    // It would still be starting then.
    const assumedReadyMs = HOUR;
    const spec = { ...other({ ...ladder('runpod'), scaling: { replicas: 1 } }), against: null, assumedReadyMs };
    refusedOn(late.later(2 * 60_000).declare(ladder('runpod')));
    expect(one(replayed(late, spec)).falls).toHaveLength(0);
  });
});
