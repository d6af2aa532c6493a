import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HourlyPrice, Placement } from '@davit/contracts';
import { History } from '../testing/history.js';
import { Life } from '../testing/life.js';
import { type BudgetAccount, balanceOf, rateOf } from './account.js';
import { billedDeviation, budgetAlarm } from './alarms.js';
import { aheadInBudget } from './queue.js';
import { budgetRoom, hasRoomFor, isExhausted } from './room.js';
import { judgeBudget } from './verdict.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const SINCE = new Date(START).toISOString();
const placement = (maxHourlyPrice: string | null = null): Placement => ({
  ...{ cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 2 }, spot: false, maxHourlyPrice },
});
const price = (amount: string, change: Partial<HourlyPrice> = {}): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'gpu-hour', kind: 'quoted', source: 'test', observedAt: SINCE },
  ...change,
});

let history: History;
beforeEach(() => {
  history = new History(START);
});

/** A replica that was placed at this price, and whose launch may be made at any moment. */
function placed(ordinal: number, quoted: HourlyPrice | null, ceiling: string | null = null): Life {
  const life = new Life(history, { ordinal }).requested().replica('discovery-requested', { attempt: 1 }).discovered();
  const where = { rung: 0, placement: placement(ceiling), adopted: false, price: quoted, evidence: [] };
  return life.replica('placed', where).launchRequested();
}
const replica = ({ id }: Life) => history.replica(id);
const account = (lives: readonly Life[], limits: Partial<BudgetAccount['limits']> = {}): BudgetAccount => ({
  ...{ of: 'tenant', name: 'acme', since: SINCE, active: new Map(), replicas: lives.map(replica) },
  limits: { currency: 'USD', onExceed: 'refuse', maxHourly: '4', maxTotal: '10', ...limits },
});
const at = (hours: number): number => START + hours * HOUR;
const leave = (life: Life, hours: number): void => {
  history.nowMs = at(hours);
  life.confirmed();
};

describe('what a budget has left', () => {
  it('is less from the moment a machine is placed, and until it is proven gone', () => {
    const life = placed(0, price('0.75'));
    expect(budgetRoom(account([life]), at(0)).hourlyLeft).toEqual({ amount: '2.50', currency: 'USD' });
    life.launched().seen();
    expect(budgetRoom(account([life]), at(2)).hourlyLeft?.amount).toBe('2.50');
    life.deleteRequested().absent();
    expect(budgetRoom(account([life]), at(2)).hourlyLeft?.amount).toBe('2.50');
    leave(life, 2);
    expect(budgetRoom(account([life]), at(3)).hourlyLeft?.amount).toBe('4');
    expect(Number(budgetRoom(account([life]), at(3)).totalLeft?.amount)).toBeCloseTo(7, 1);
  });

  it('takes off nothing for what is only asked for, or was refused', () => {
    const asked = new Life(history).requested().replica('discovery-requested', { attempt: 1 }).discovered();
    expect(rateOf(replica(asked), 'USD')).toBeUndefined();
    const refused = placed(1, price('1'));
    refused.fact('launch-refused', { attempt: 1, class: 'capacity', detail: '' });
    expect(rateOf(replica(refused), 'USD')).toBeUndefined();
  });

  it('is less by a launch under way, also when its replica is told to go or has failed meanwhile', () => {
    const [leaving, given] = [placed(0, price('0.75')), placed(1, price('0.75'))];
    for (const life of [leaving, given]) life.fact('launch-attempted', { attempt: 1, placement: null, leaseEpoch: 1 });
    leaving.deleteRequested();
    given.failed(false, 'transient');
    for (const life of [leaving, given]) expect(rateOf(replica(life), 'USD')).toEqual({ amount: '1.50' });
    leave(leaving, 1);
    expect(rateOf(replica(leaving), 'USD')).toBeUndefined();
  });

  it('counts a machine without a price at the ceiling of its placement', () => {
    const life = placed(0, null, '3').launched();
    expect(budgetRoom(account([life]), at(1)).hourlyLeft?.amount).toBe('1');
    expect(Number(balanceOf(account([life]), at(1)).total)).toBeCloseTo(3, 1);
  });

  it('law-14: counts the time before a price was known at the highest price of that machine, and never as free', () => {
    const life = placed(0, null).launched();
    history.nowMs = at(1);
    const billed = price('2', { unit: 'instance-hour', kind: 'billed' });
    life.fact('observed', { phase: 'up', url: null, providerId: null, price: billed, class: null, detail: '' });
    expect(Number(balanceOf(account([life]), at(2)).total)).toBeCloseTo(4, 1);
    expect(balanceOf(account([life]), at(2)).unjudgedMs).toBe(0);
  });

  it('law-04: is nothing while a machine bills at a price that nobody knows, or in another currency', () => {
    for (const unknown of [null, price('0.1', { currency: 'EUR' })]) {
      const life = placed(unknown ? 1 : 0, unknown).launched();
      const room = budgetRoom(account([life]), at(1));
      expect(isExhausted(room)).toBe(true);
      expect(room.why).toContain('1 machine bills at a price that is unknown or not in USD');
      expect(judgeBudget(account([life]), at(1)).state).toBe('unknown');
    }
  });

  it('covers a machine whose hour is within what is left per hour and in all', () => {
    const room = budgetRoom(account([], { maxHourly: '4', maxTotal: '3' }), at(0));
    expect(hasRoomFor(room, { amount: '3', currency: 'USD' })).toBe(true);
    expect(hasRoomFor(room, { amount: '3.01', currency: 'USD' })).toBe(false);
    expect(hasRoomFor(room, { amount: '1', currency: 'EUR' })).toBe(false);
  });
});

describe('how a budget stands', () => {
  it('is told before a ceiling is reached, and when it is', () => {
    const life = placed(0, price('1')).launched().seen();
    const alarmOf = (limits: Partial<BudgetAccount['limits']>, hours: number) =>
      budgetAlarm(judgeBudget(account([life], limits), at(hours)))?.alarm;
    expect(alarmOf({ maxHourly: '3', maxTotal: '100' }, 1)).toBeUndefined();
    expect(alarmOf({ maxHourly: '2.5', maxTotal: '100' }, 1)).toBe('budget-near');
    expect(alarmOf({ maxHourly: '2.5', maxTotal: '100', alarmAt: 0.9 }, 1)).toBeUndefined();
    expect(alarmOf({ maxHourly: '1.99', maxTotal: '100' }, 1)).toBe('budget-exceeded');
    expect(alarmOf({ maxHourly: '9', maxTotal: '10' }, 4.1)).toBe('budget-near');
    expect(alarmOf({ maxHourly: '9', maxTotal: '10' }, 5.1)).toBe('budget-exceeded');
  });

  it('says the same as long as only time passes', () => {
    const life = placed(0, price('1')).launched().seen();
    const told = (hours: number) =>
      budgetAlarm(judgeBudget(account([life], { maxHourly: '9', maxTotal: '100' }), at(hours)));
    expect(told(41)?.detail).toBeDefined();
    expect(told(41)).toEqual(told(49));
    expect(told(51)).toEqual(told(500));
  });

  it('knows when the present rate will have used it up', () => {
    const life = placed(0, price('1')).launched().seen();
    const { exhaustedAtMs } = judgeBudget(account([life], { maxTotal: '10' }), at(1));
    const sinceMs = Date.parse(replica(life).meter?.since ?? '');
    expect(Math.abs((exhaustedAtMs ?? 0) - (sinceMs + 5 * HOUR + 1_000))).toBeLessThan(10);
  });
});

describe('a bill', () => {
  it('is told when it differs from the estimate by more than a tenth, whichever way', () => {
    const deviation = (amount: string) => {
      const life = placed(Number(amount.replace('.', '')), price('0.50')).launched();
      const billed = price(amount, { unit: 'instance-hour', kind: 'billed' });
      life.fact('observed', { phase: 'up', url: null, providerId: null, price: billed, class: null, detail: '' });
      const { meter } = replica(life);
      return meter && billedDeviation(meter)?.percent;
    };
    expect(deviation('1.1')).toBeUndefined();
    expect(deviation('1.11')).toBe('11.00');
    expect(deviation('0.7')).toBe('30.00');
  });
});

describe('replicas that spend from one budget', () => {
  const waiting = (ordinal: number): Life =>
    new Life(history, { ordinal }).requested().replica('discovery-requested', { attempt: 1 });

  it('are placed one after the other, in the order of the log in which they may be', () => {
    const [first, second] = [waiting(0), waiting(1)];
    second.discovered();
    first.discovered();
    const all = () => [first, second].map(replica);
    expect(aheadInBudget(replica(second), all())).toEqual([]);
    expect(aheadInBudget(replica(first), all())).toEqual([second.id]);
    second.replica('deferred', { reason: 'no stock', retryAt: SINCE, evidence: [] });
    expect(aheadInBudget(replica(first), all())).toEqual([]);
    // Back again, it comes last.
    second.replica('discovery-requested', { attempt: 2 }).discovered('absent', 2);
    expect(aheadInBudget(replica(second), all())).toEqual([first.id]);
  });

  it('do not wait for one whose look at the provider has no answer', () => {
    const [blind, own] = [waiting(0).discovered('unknown'), waiting(1).discovered()];
    expect(aheadInBudget(replica(own), [blind, own].map(replica))).toEqual([]);
  });
});
