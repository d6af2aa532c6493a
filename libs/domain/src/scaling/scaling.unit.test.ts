import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareAmounts, multiplyAmount } from '../money.js';
import { affordableWorkers } from './affordable.js';
import { type Bounds } from './bounds.js';
import { boundsConflicts } from './checks.js';
import { boundsFor } from './policy.js';
import { type ScalingQuestion } from './question.js';
import { chanceOfWait } from './queueing.js';

const usd = (amount: string) => ({ amount, currency: 'USD' });

const question = (fields: Partial<ScalingQuestion> = {}): ScalingQuestion => ({
  objectives: { latencyP95Ms: 20_000, queueTimeP95Ms: 8_000, concurrency: 24 },
  worker: { perf: 1_000, parallelRequests: 16, serviceP95Ms: 9_000, loadTimeS: 240, hourly: usd('0.40') },
  load: { requestsPerSecond: 4, costPerRequest: 500, peakFactor: 2, mayBeIdle: false },
  budgetHourly: usd('4.00'),
  targetUtil: 0.9,
  coldMult: 2.5,
  ...fields,
});

const boundsOf = (fields: Partial<ScalingQuestion> = {}): Bounds => {
  const answer = boundsFor(question(fields));
  if (answer.kind !== 'bounds') throw new Error(JSON.stringify(answer.conflicts));
  return answer.bounds;
};

const conflictsOf = (fields: Partial<ScalingQuestion>): string[] => {
  const answer = boundsFor(question(fields));
  return answer.kind === 'refused' ? answer.conflicts.map(({ objective, against }) => `${objective} / ${against}`) : [];
};

describe('bounds from evidence', () => {
  it('carry what is expected, hold the peak and leave room for a rollout', () => {
    expect(boundsOf()).toEqual({
      // 2000 load/s at 0.9 of 1000 a worker: 3; twice of it: 5, and one for the rollout. Two always active for 24 in flight.
      ...{ minLoad: 1_800, coldWorkers: 3, maxWorkers: 6, inactivityTimeoutS: -1 },
      // 20 s less 9 s of service leave 11 s, 8 s are promised.
      ...{ targetQueueTimeS: 4, maxQueueTimeS: 8, targetUtil: 0.9, coldMult: 2.5, minColdLoad: 0 },
    });
  });

  it('show each step with its formula and figures', () => {
    const { arithmetic } = boundsFor(question());
    expect(arithmetic.find(({ name }) => name === 'workers by expected load')).toEqual({
      name: 'workers by expected load',
      formula: 'ceil(load / target_util / perf)',
      inputs: { load: 2_000, targetUtil: 0.9, perf: 1_000 },
      result: 3,
      unit: 'workers',
    });
    expect(arithmetic.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'min_load',
        'cold_workers (min_workers)',
        'max_workers',
        'inactivity_timeout',
        'target_queue_time',
        'max_queue_time',
      ]),
    );
  });

  it('may fall to none where that is allowed, after a while', () => {
    const load = { ...question().load, mayBeIdle: true };
    expect(boundsOf({ load })).toMatchObject({ minLoad: 0, inactivityTimeoutS: 600 });
  });

  it('stay within the budget where the peak does not', () => {
    expect(boundsOf({ budgetHourly: usd('1.60') }).maxWorkers).toBe(4);
  });

  it('take min_workers and cold_workers for one field', () => {
    expect(boundsOf({ declared: { minWorkers: 2 } }).coldWorkers).toBe(2);
    expect(boundsOf({ declared: { minWorkers: 2, coldWorkers: 2 } }).coldWorkers).toBe(2);
    expect(conflictsOf({ declared: { minWorkers: 2, coldWorkers: 3 } })).toEqual(['min_workers / cold_workers']);
  });

  it('use the documented defaults of the provider where nothing is promised of time', () => {
    expect(boundsOf({ objectives: {} })).toMatchObject({ targetQueueTimeS: 10, maxQueueTimeS: 30 });
  });
});

describe('what cannot be had', () => {
  it('is refused with the promise and the budget that conflict', () => {
    expect(conflictsOf({ budgetHourly: usd('1.59') })).toEqual(['expected load and concurrency / budget.maxHourly']);
    expect(conflictsOf({ objectives: { maxHourly: usd('1.00') } })).toEqual(['expected load / objectives.maxHourly']);
  });

  it('is a latency below the service time, whatever the number of workers', () => {
    expect(conflictsOf({ objectives: { latencyP95Ms: 8_000 } })).toContain(
      'latencyP95Ms / measured service time of a worker',
    );
  });

  it('is a computation from what was not measured', () => {
    expect(conflictsOf({ worker: { ...question().worker, perf: Number.NaN } })).toEqual(['worker.perf / evidence']);
    expect(conflictsOf({ budgetHourly: { amount: '4', currency: 'EUR' } })).toEqual([
      'price of a worker / budget.maxHourly',
    ]);
  });

  it('is a declared most without room to grow', () => {
    expect(conflictsOf({ declared: { maxWorkers: 3 } })).toEqual(['room to grow during a rollout / max_workers']);
  });
});

describe('bounds that somebody declared', () => {
  const context = { perf: 1_000, workerHourly: usd('0.40'), budgetHourly: usd('4.00') };
  const against = (fields: Partial<Bounds>): string[] =>
    boundsConflicts({ ...boundsOf(), ...fields }, context).map(
      (conflict) => `${conflict.objective} / ${conflict.against}`,
    );

  it.each<[Partial<Bounds>, string]>([
    [{ targetUtil: 0 }, 'target_util / range'],
    [{ coldWorkers: 7 }, 'cold_workers / max_workers'],
    [{ coldWorkers: 1, maxWorkers: 1 }, 'cold_workers / max_workers'],
    [{ targetQueueTimeS: 9 }, 'target_queue_time / max_queue_time'],
    [{ maxWorkers: 11 }, 'max_workers / budget.maxHourly'],
    [{ maxWorkers: 0 }, 'max_workers / range'],
    [{ minLoad: 5_401 }, 'min_load / max_workers'],
    [{ coldMult: 0.5 }, 'cold_mult / range'],
    [{ maxQueueTimeS: Number.NaN }, 'max_queue_time / range'],
    [{ maxWorkers: 2.5 }, 'workers / range'],
  ])('are refused: %j', (fields, expected) => {
    expect(against(fields)).toContain(expected);
  });

  it('are refused where the price of a worker is not known', () => {
    const unknown = boundsConflicts(boundsOf(), { ...context, workerHourly: null });
    expect(unknown.map(({ detail }) => detail)).toEqual(['the price of a worker is not known']);
  });
});

describe('whatever is asked', () => {
  const cents = (max: number) => fc.integer({ min: 1, max }).map((count) => (count / 100).toFixed(2));

  it('bounds keep every check, and cost no more than the budget', () => {
    fc.assert(
      fc.property(
        fc.record({
          rate: fc.double({ min: 0.01, max: 50, noNaN: true }),
          perf: fc.integer({ min: 50, max: 20_000 }),
          worker: cents(300),
          budget: cents(9_000),
          parallel: fc.integer({ min: 1, max: 64 }),
          mayBeIdle: fc.boolean(),
        }),
        ({ rate, perf, worker, budget, parallel, mayBeIdle }) => {
          const asked = question({
            objectives: { queueTimeP95Ms: 5_000 },
            worker: { ...question().worker, perf, parallelRequests: parallel, hourly: usd(worker) },
            load: { requestsPerSecond: rate, costPerRequest: 500, peakFactor: 2, mayBeIdle },
            budgetHourly: usd(budget),
          });
          const answer = boundsFor(asked);
          if (answer.kind === 'refused') {
            expect(answer.conflicts.length).toBeGreaterThan(0);
            return;
          }
          expect(
            boundsConflicts(answer.bounds, { perf, workerHourly: usd(worker), budgetHourly: usd(budget) }),
          ).toEqual([]);
          expect(compareAmounts(multiplyAmount(worker, answer.bounds.maxWorkers), budget)).toBeLessThanOrEqual(0);
        },
      ),
    );
  });

  it('as many workers as can be paid for cost no more, and one more costs more', () => {
    fc.assert(
      fc.property(cents(100_000), cents(1_000), (budget, worker) => {
        const count = affordableWorkers(usd(budget), usd(worker)) ?? -1;
        expect(compareAmounts(multiplyAmount(worker, count), budget)).toBeLessThanOrEqual(0);
        expect(compareAmounts(multiplyAmount(worker, count + 1), budget)).toBeGreaterThan(0);
      }),
    );
  });
});

it('the chance of a wait is that of the published tables of Erlang C', () => {
  expect(chanceOfWait(1, 0.5)).toBeCloseTo(0.5, 10);
  expect(chanceOfWait(2, 1)).toBeCloseTo(1 / 3, 10);
  expect(chanceOfWait(10, 8)).toBeCloseTo(0.4092, 4);
  expect(chanceOfWait(3, 3)).toBe(1);
});
