import { type NewEvent, type Placement, stream } from '@davit/contracts';
import { VirtualClock, silentLogger, sleep } from '@davit/ports';
import { REPLICA, RESOURCE, Stage, declared, requested } from '@davit/stage';
import { describe, expect, it } from '@jest/globals';
import { type StockAdvisor, type StockQuestion, adviceOf, unknownBecause } from '../advisors/advisor.js';
import { questionOf } from '../advisors/testing/golden.js';
import { capacityAdvisorControllers } from '../index.js';
import { answerAssess } from './answer.js';
import { Assessor } from './assessor.js';

const LIFETIME_MS = 60_000;

/** Says "in stock" of everything, after a while. */
const advisor = (clock: VirtualClock, afterMs: (question: StockQuestion) => number): StockAdvisor => ({
  source: 'test',
  exchangeOf: () => 'any',
  async advise(question) {
    await sleep(clock, afterMs(question));
    const stamp = { source: 'test', observedAtMs: clock.nowMs(), lifetimeMs: LIFETIME_MS };
    const verdict = { ...unknownBecause('in stock'), state: 'available', scope: 'global' } as const;
    return adviceOf(verdict, question, stamp);
  },
});

const assessorWith = (clock: VirtualClock, one: StockAdvisor): Assessor =>
  new Assessor({ advisors: new Map([['runpod', one]]), clock, logger: silentLogger, lifetimeMs: LIFETIME_MS });

const placementIn = (region: string | null): Placement => ({ ...questionOf('runpod').placement, region });

describe('an assessment', () => {
  it('decides on the answers that are there, and names those that are missing', async () => {
    const clock = new VirtualClock();
    const slow = advisor(clock, ({ placement }) => (placement.region === 'SLOW' ? 60_000 : 100));
    const placements = [placementIn(null), placementIn('SLOW'), placementIn('US')];
    const answered = answerAssess({ placements, diskGiB: 50 }, assessorWith(clock, slow));
    await clock.advance(4_000);
    const outcome = await answered;
    if (!('answer' in outcome)) throw new Error(JSON.stringify(outcome));
    expect(outcome.answer.signals.map(({ rung, signal }) => [rung, signal.state])).toEqual([
      [0, 'available'],
      [1, 'unknown'],
      [2, 'available'],
    ]);
    expect(outcome.answer.signals[1]?.signal.detail).toContain('no answer within 4000 ms');
    expect(outcome.answer.signals[0]?.signal.asked).toMatchObject({ diskGiB: 50 });
  });

  it('takes sixty-four placements at once, and no more', async () => {
    const clock = new VirtualClock();
    const assessor = assessorWith(
      clock,
      advisor(clock, () => 10),
    );
    const placements = Array.from({ length: 64 }, (_, index) => placementIn(`R${index}`));
    const answered = answerAssess({ placements }, assessor);
    await clock.advance(10);
    const outcome = await answered;
    expect('answer' in outcome ? outcome.answer.signals.map(({ rung }) => rung) : outcome).toEqual([
      ...placements.keys(),
    ]);
    const refused = await answerAssess({ placements: [...placements, placementIn(null)] }, assessor);
    expect(refused).toMatchObject({ problems: [{ path: 'placements', remedy: expect.stringContaining('1 to 64') }] });
  });

  it('is unknown where an advisor has a defect, and loses none of the others', async () => {
    const clock = new VirtualClock();
    const broken: StockAdvisor = {
      source: 'broken',
      exchangeOf: () => 'any',
      advise: () => Promise.reject(new Error('defect')),
    };
    const assessor = new Assessor({
      advisors: new Map([
        ['runpod', advisor(clock, () => 0)],
        ['vast', broken],
      ]),
      clock,
      logger: silentLogger,
      lifetimeMs: LIFETIME_MS,
    });
    const both = assessor.assess([questionOf('vast'), questionOf('runpod')]);
    await clock.advance(1);
    const [first, second] = await both;
    expect(first).toMatchObject({ signal: { state: 'unknown', source: 'broken' }, failure: 'outage' });
    expect(second?.signal.state).toBe('available');
  });

  it('stands without confidence where own history cannot be read', async () => {
    const clock = new VirtualClock();
    const assessor = assessorWith(
      clock,
      advisor(clock, () => 0),
    );
    const asked = assessor.assess([questionOf('runpod')], { history: () => Promise.reject(new Error('no tables')) });
    await clock.advance(1);
    expect((await asked)[0]?.signal).toMatchObject({ state: 'available' });
    expect((await asked)[0]?.signal).not.toHaveProperty('confidence');
  });
});

describe('own history', () => {
  const placement = { ...questionOf('runpod').placement };
  const lifeOf = (ordinal: number, end: 'refused' | 'served'): readonly [NewEvent, ...NewEvent[]] => {
    const replicaId = REPLICA.replace('-1-0-1', `-1-${ordinal}-1`);
    const placed: NewEvent = {
      type: 'davit.replica.placed',
      data: { replicaId, rung: 0, placement, adopted: false, price: null, evidence: [] },
    };
    const ended: NewEvent =
      end === 'served'
        ? {
            type: 'davit.replica.ready',
            data: { replicaId, url: 'http://127.0.0.1:1', servedModel: 'qwen', placement },
          }
        : {
            type: 'davit.replica.failed',
            data: { replicaId, class: 'capacity', reason: 'capacity', detail: 'x', placement, hadServed: false },
          };
    return [requested(ordinal), placed, ended];
  };

  const confidenceAfter = async (ends: readonly ('refused' | 'served')[], laterMs = 0): Promise<number | undefined> => {
    const stage = new Stage('capacity-advisor');
    const assessor = assessorWith(
      stage.clock,
      advisor(stage.clock, () => 10),
    );
    await stage.given(stream.deployment('default/qwen'), declared());
    for (const [index, end] of ends.entries()) {
      const ordinal = index + 1;
      await stage.given(stream.replica(REPLICA.replace('-1-0-1', `-1-${ordinal}-1`)), ...lifeOf(ordinal, end));
    }
    await stage.clock.advance(laterMs);
    const stop = stage.start(capacityAdvisorControllers(assessor, 0));
    await stage.given(stream.replica(REPLICA), requested(), {
      type: 'davit.replica.discovery-requested',
      data: { replicaId: REPLICA, attempt: 1 },
    });
    await stage.given(RESOURCE, {
      type: 'davit.resource.discovered',
      data: {
        externalKey: 'dv-test',
        replicaId: REPLICA,
        adapter: 'skypilot',
        attempt: 1,
        outcome: 'absent',
        detail: 'x',
      },
    });
    await stage.clock.advance(1_000);
    const [event] = (await stage.written('capacity')).flatMap((written) =>
      written.type === 'davit.capacity.assessed' ? [written] : [],
    );
    await stop();
    return event?.data.signal.confidence;
  };

  it('stands in every signal as confidence: refusals lower it, starts that served raise it, and time forgets both', async () => {
    const prior = await confidenceAfter([]);
    const refused = await confidenceAfter(['refused', 'refused', 'refused']);
    const served = await confidenceAfter(['served', 'served', 'served']);
    expect(prior).toBeDefined();
    expect(refused).toBeLessThan(prior ?? 0);
    expect(served).toBeGreaterThan(prior ?? 1);
    expect(await confidenceAfter(['refused', 'refused', 'refused'], 24 * 3_600_000)).toBe(prior);
  });
});
