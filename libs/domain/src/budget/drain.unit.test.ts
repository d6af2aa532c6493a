import { describe, expect, it } from '@jest/globals';
import type { SpendLimits } from '@davit/contracts';
import fc from 'fast-check';
import { decideDeployment } from '../converge/decide.js';
import { rateNow } from '../lifecycle/meter.js';
import { Fleet, INTENT, KEY } from '../testing/fleet.js';

const HOUR = 3_600_000;
const id = (slot: string): string => `${KEY}-${slot}`;

/** A fleet of one deployment; each machine is brought up a minute after the one before, and billed as told. */
function fleetOf(rates: readonly string[], budget: Partial<SpendLimits>): Fleet {
  const limits = { currency: 'USD', onExceed: 'drain', ...budget };
  // So high a ceiling at first that all of them come up.
  const fleet = new Fleet().declare({ replicas: rates.length, budget: { ...limits, maxHourly: '1000000' } }).settle();
  for (const [ordinal, rate] of rates.entries()) {
    fleet
      .later(60_000)
      .bringUp(id(`1-${ordinal}-1`))
      .bill(id(`1-${ordinal}-1`), rate);
  }
  return fleet.declare({ replicas: rates.length, budget: limits });
}
const budgetOf = (fleet: Fleet) => fleet.deployment(KEY).conditions['WithinBudget'];
const drained = (fleet: Fleet): readonly string[] =>
  fleet.events.flatMap(({ type, data }) =>
    (type === 'davit.replica.drain-requested' || type === 'davit.replica.delete-requested') && data.budget
      ? [data.replicaId.slice(KEY.length + 1)]
      : [],
  );
const progressOf = (fleet: Fleet) => fleet.deployment(KEY).conditions['Progressing'];

describe('a deployment over its hourly budget', () => {
  it('drains what came last until the rest fits, and says why with the figures', () => {
    const fleet = fleetOf(['2', '2', '2', '2'], { maxHourly: '5' }).settle();
    expect(drained(fleet)).toEqual(['1-3-1', '1-2-1']);
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-1': 'ready', '1-2-1': 'draining', '1-3-1': 'draining' });
    const event = fleet.events.find(({ type }) => type === 'davit.replica.drain-requested');
    expect(event?.data).toMatchObject({
      budget: { of: 'deployment', name: KEY, ceiling: 'hourly', limit: '5', held: '8', rate: '2', currency: 'USD' },
      reason: expect.stringContaining('8 of 5 USD an hour'),
    });
    expect(budgetOf(fleet)).toMatchObject({ status: 'false', reason: 'HourlyExceeded' });
  });

  it('drains nothing more while what was drained still bills', () => {
    const fleet = fleetOf(['2', '2', '2', '2'], { maxHourly: '5' }).settle().later(20_000).settle();
    expect(rateNow(fleet.replicasOf(KEY).flatMap(({ meter }) => meter ?? [])).amounts[0]?.amount).toBe('8');
    expect(drained(fleet)).toHaveLength(2);
  });

  it('leaves alone what need not go: a small machine that came last stays when a large one makes the room', () => {
    expect(drained(fleetOf(['2', '6', '0.5'], { maxHourly: '3' }).settle())).toEqual(['1-1-1']);
  });

  it('drains nothing under the policy to refuse, and rents nothing more', () => {
    const fleet = fleetOf(['2', '2', '2'], { maxHourly: '5', onExceed: 'refuse' }).settle();
    expect(drained(fleet)).toEqual([]);
    expect(budgetOf(fleet)).toMatchObject({ status: 'false', reason: 'HourlyExceeded' });
    fleet.declare({ replicas: 4, budget: { maxHourly: '5', currency: 'USD', onExceed: 'refuse' } }).settle();
    expect(Object.keys(fleet.statuses())).toHaveLength(3);
    expect(progressOf(fleet)).toMatchObject({ reason: 'HeldByBudget', message: expect.stringContaining('6 of 5 USD') });
  });

  it('counts the machines of a rollout, ends its candidates first, and keeps what serves, healed later or not', () => {
    const limits = { maxHourly: '7', currency: 'USD', onExceed: 'drain' };
    const fleet = new Fleet().declare({ replicas: 2, budget: limits }).settle();
    for (const slot of ['1-0-1', '1-1-1']) fleet.later(60_000).bringUp(id(slot)).bill(id(slot), '2');
    fleet.declare({ replicas: 2, model: 'Qwen/Qwen3-14B', budget: limits }).settle();
    fleet.later(60_000).launch(id('2-0-1'));
    fleet.bill(id('2-0-1'), '2').settle();
    fleet.later(60_000).die(id('1-1-1')).bringUp(id('1-1-2')).bill(id('1-1-2'), '2').settle();
    expect(drained(fleet)).toEqual([]);
    fleet.bill(id('1-1-2'), '4').settle();
    expect(drained(fleet)).toEqual(['2-0-1']);
    expect(fleet.targets()).toEqual(['1-0-1', '1-1-2']);
    expect(fleet.deployment(KEY).activeRevision).toBe(1);
  });

  it('never drains more than needed, nor leaves it above its ceiling', () => {
    const rates = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 1_200 }), (cents, ceiling) => {
        const text = (value: number): string => `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
        const fleet = fleetOf(cents.map(text), { maxHourly: text(ceiling) }).settle();
        const gone = new Set(drained(fleet).map((slot) => Number(slot.split('-')[1])));
        const rest = cents.reduce((sum, value, ordinal) => sum + (gone.has(ordinal) ? 0 : value), 0);
        expect(rest).toBeLessThanOrEqual(ceiling);
        for (const ordinal of gone) expect(rest + (cents[ordinal] ?? 0)).toBeGreaterThan(ceiling);
      }),
      { numRuns: 12 },
    );
  });

  it('law-04: ends nothing because of a price that nobody knows, and says that it does not know', () => {
    const fleet = new Fleet().declare({ budget: { maxHourly: '1', currency: 'USD', onExceed: 'drain' } }).settle();
    fleet.bringUp(id('1-0-1'));
    expect(drained(fleet)).toEqual([]);
    expect(budgetOf(fleet)).toMatchObject({ status: 'unknown', reason: 'PriceUnknown' });
    fleet.bill(id('1-0-1'), '9', 'EUR').settle();
    expect(budgetOf(fleet)).toMatchObject({ status: 'unknown' });
    fleet.bill(id('1-0-1'), '0.5').settle();
    expect(budgetOf(fleet)).toMatchObject({ status: 'true', reason: 'WithinLimits' });
  });
});

describe('a slot that a budget emptied', () => {
  const goneFrom = (fleet: Fleet, slot: string): Fleet => fleet.later(15_000).settle().proveGone(id(slot));

  it('stays empty, visibly, until there is room for what its machine cost', () => {
    const fleet = goneFrom(fleetOf(['2', '3'], { maxHourly: '4' }).settle(), '1-1-1');
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready' });
    expect(budgetOf(fleet)).toMatchObject({ status: 'false', reason: 'HeldBack' });
    expect(progressOf(fleet)).toMatchObject({ reason: 'HeldByBudget', message: expect.stringContaining('replica 1') });
    // Room for two, and it cost three.
    fleet.later(HOUR).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready' });
    fleet.bill(id('1-0-1'), '1').settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-2': 'requested' });
    expect(fleet.deployment(KEY).heldBack).toEqual({});
  });

  it('is filled when the ceiling is lifted, one slot at a time', () => {
    const fleet = fleetOf(['2', '2', '2'], { maxHourly: '2' }).settle();
    goneFrom(goneFrom(fleet, '1-1-1'), '1-2-1');
    fleet.declare({ replicas: 3, budget: { maxHourly: '6', currency: 'USD', onExceed: 'drain' } }).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-2': 'requested' });
    fleet.bringUp(id('1-1-2')).bill(id('1-1-2'), '2').settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-2': 'ready', '1-2-2': 'requested' });
  });

  it('is filled when the budget is taken away', () => {
    const fleet = goneFrom(fleetOf(['2', '3'], { maxHourly: '4' }).settle(), '1-1-1');
    fleet.declare({ replicas: 2 }).settle();
    expect(fleet.statuses()).toEqual({ '1-0-1': 'ready', '1-1-2': 'requested' });
    expect(budgetOf(fleet)).toMatchObject({ status: 'true', reason: 'NoBudget' });
  });
});

describe('a total budget', () => {
  it('ends everything once it is used up, at the moment that was computed for it', () => {
    const fleet = fleetOf(['2', '2'], { maxTotal: '10' }).settle();
    const { wakeAtMs } = decideDeployment(
      ...([fleet.deployment(KEY), fleet.replicasOf(KEY), fleet.nowMs, 'test', fleet.budgetsOf(KEY)] as const),
    );
    const nearMs = wakeAtMs ?? 0;
    fleet.later(nearMs - fleet.nowMs - 2_000).settle();
    expect(budgetOf(fleet)).toMatchObject({ status: 'true', reason: 'WithinLimits' });
    fleet.later(2_000).settle();
    expect(budgetOf(fleet)).toMatchObject({ status: 'true', reason: 'NearLimit' });
    const next = decideDeployment(
      ...([fleet.deployment(KEY), fleet.replicasOf(KEY), fleet.nowMs, 'test', fleet.budgetsOf(KEY)] as const),
    );
    fleet.later((next.wakeAtMs ?? 0) - fleet.nowMs - 2_000).settle();
    expect(drained(fleet)).toEqual([]);
    fleet.later(2_000).settle();
    expect(drained(fleet)).toEqual(['1-1-1', '1-0-1']);
    expect(budgetOf(fleet)).toMatchObject({ status: 'false', reason: 'TotalExhausted' });
  });

  it('counts what is gone, and nothing from before it was declared anew', () => {
    const fleet = fleetOf(['2'], { maxTotal: '10', onExceed: 'refuse' }).settle().later(HOUR);
    fleet.remove().settle().later(15_000).settle().proveGone(id('1-0-1'));
    expect(fleet.deployment(KEY).status).toBe('deleted');
    const before = fleet.nowMs;
    fleet.later(1_000).declare({ budget: { maxTotal: '10', currency: 'USD', onExceed: 'refuse' } });
    const [account] = fleet.budgetsOf(KEY);
    expect(Date.parse(account?.since ?? '')).toBe(before + 1_000);
    expect(account?.replicas).toHaveLength(1);
  });
});

describe('the budget of a tenant', () => {
  it('counts from the moment it is first set, and drains as that of a deployment does', () => {
    const fleet = new Fleet().declare({ replicas: 2 }).settle();
    for (const slot of ['1-0-1', '1-1-1']) fleet.later(60_000).bringUp(id(slot)).bill(id(slot), '2');
    fleet.later(100 * HOUR).settle();
    const budget = { maxHourly: '3', maxTotal: '50', currency: 'USD', onExceed: 'drain' } as const;
    fleet.given('tenant/default', 'davit.tenant.budget-set', { intentId: INTENT, budget }).settle();
    expect(drained(fleet)).toEqual(['1-1-1']);
    expect(budgetOf(fleet)).toMatchObject({ message: expect.stringContaining('tenant default') });
    fleet.given('tenant/default', 'davit.tenant.budget-set', { intentId: INTENT, budget: null }).settle();
    expect(budgetOf(fleet)).toMatchObject({ status: 'true', reason: 'NoBudget' });
  });
});
