import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareAmounts } from '../../money.js';
import { MINUTE_MS, START_MS, goodBundle, minutes } from '../testing/bundles.js';
import { queueBreachOf } from './queue-breach.js';
import { respondTo } from './respond.js';
import { DEFAULT_RESPONSE_POLICY, type Situation } from './situation.js';

const policy = DEFAULT_RESPONSE_POLICY;
const usd = (amount: string) => ({ amount, currency: 'USD' });
type Breach = Extract<Situation, { kind: 'queue-time-breached' }>;
type Stuck = Extract<Situation, { kind: 'not-converged' }>;

const breach = (fields: Partial<Breach> = {}): Breach => ({
  kind: 'queue-time-breached',
  breach: 'proven',
  lastsMs: 60_000,
  maxWorkers: 4,
  workerHourly: usd('0.50'),
  budgetHourly: usd('2.50'),
  raises: 0,
  ...fields,
});

const stuck = (fields: Partial<Stuck> = {}): Stuck => ({
  kind: 'not-converged',
  lastsMs: 60_000,
  missing: [{ workerId: '17', on: 'baseline', status: 'idle' }],
  areLogsInspected: false,
  ...fields,
});

describe('a canary that cannot load', () => {
  it.each(['image', 'model', 'environment', 'readiness', 'unknown'] as const)(
    'leaves production untouched: %s',
    (step) => {
      const response = respondTo({ kind: 'canary-cannot-load', step, detail: 'exit code 1' }, policy);
      expect(response).toMatchObject({ action: 'stop', production: 'untouched' });
      expect(JSON.stringify(response)).toContain('exit code 1');
    },
  );
});

describe('a queue time that is breached', () => {
  it('pauses the acceptance and raises capacity up to the last cent of the budget', () => {
    expect(respondTo(breach(), policy)).toEqual({
      ...{ action: 'raise-capacity', acceptance: 'paused', maxWorkers: 5, worstHourly: usd('2.50') },
    });
    expect(respondTo(breach({ budgetHourly: usd('2.499') }), policy).action).toBe('roll-back');
  });

  it('never raises for a price that is not known or is in another currency', () => {
    expect(respondTo(breach({ workerHourly: null }), policy).action).toBe('roll-back');
    expect(respondTo(breach({ workerHourly: { amount: '0.1', currency: 'EUR' } }), policy).action).toBe('roll-back');
  });

  it('waits for what was raised, and rolls back when it does not help', () => {
    const raised = { raises: policy.mostRaises };
    expect(respondTo(breach(raised), policy).action).toBe('hold');
    expect(respondTo(breach({ ...raised, lastsMs: policy.breachPatienceMs }), policy).action).toBe('roll-back');
  });

  it('only pauses while it is suspected or not measured', () => {
    for (const seen of ['suspected', 'unknown'] as const) {
      expect(respondTo(breach({ breach: seen }), policy)).toMatchObject({ action: 'hold', acceptance: 'paused' });
    }
  });

  it('never costs more than the budget, whatever the figures', () => {
    const cents = fc.integer({ min: 1, max: 1_000 }).map((count) => (count / 100).toFixed(2));
    fc.assert(
      fc.property(cents, cents, fc.nat(20), fc.nat(3), (worker, budget, maxWorkers, raises) => {
        const figures = { workerHourly: usd(worker), budgetHourly: usd(budget), maxWorkers, raises };
        const response = respondTo(breach(figures), policy);
        if (response.action !== 'raise-capacity') return;
        expect(compareAmounts(response.worstHourly.amount, budget)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('is proven by sequential evidence and unknown where nothing was measured', () => {
    const bundle = goodBundle({ objectives: { queueTimeP95Ms: 500 } });
    const waiting = minutes(0, 30).map((window) => ({ ...window, queueMs: window.queueMs.map(() => 900) }));
    const unmeasured = minutes(0, 30).map((window) => ({ ...window, queueMs: [] }));
    expect(queueBreachOf(bundle)).toBe('none');
    expect(queueBreachOf({ ...bundle, candidate: waiting, asOfMs: START_MS + 6 * MINUTE_MS })).toBe('proven');
    expect(queueBreachOf({ ...bundle, candidate: waiting, asOfMs: START_MS + MINUTE_MS })).toBe('suspected');
    expect(queueBreachOf({ ...bundle, candidate: unmeasured })).toBe('unknown');
    expect(queueBreachOf({ ...bundle, objectives: {} })).toBe('unknown');
  });
});

describe('workers that do not converge', () => {
  it('have their logs looked at first, even after the deadline', () => {
    const late = { lastsMs: policy.convergenceDeadlineMs };
    expect(respondTo(stuck(late), policy)).toEqual({
      ...{ action: 'inspect-logs', acceptance: 'paused', workerIds: ['17'], claimsZeroDowntime: false },
    });
    expect(respondTo(stuck({ areLogsInspected: true }), policy).action).toBe('hold');
    expect(respondTo(stuck({ ...late, areLogsInspected: true }), policy).action).toBe('roll-back');
  });

  it('never end in a claim of zero downtime', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.boolean(), (lastsMs, areLogsInspected) => {
        expect(JSON.stringify(respondTo(stuck({ lastsMs, areLogsInspected }), policy))).not.toContain(
          '"claimsZeroDowntime":true',
        );
      }),
    );
  });
});

describe('an output contract that regressed', () => {
  it('is rolled back to the last verified state, and its evidence kept', () => {
    const differences = [{ probe: 'json', what: 'schema', detail: '$.usage is gone' }] as const;
    expect(respondTo({ kind: 'contract-regressed', differences, evidenceDigest: 'ab12' }, policy)).toMatchObject({
      ...{ action: 'roll-back', to: 'last-verified', keepEvidence: ['ab12'], claimsZeroDowntime: false },
      because: 'the output contract regressed: json: $.usage is gone',
    });
  });
});
