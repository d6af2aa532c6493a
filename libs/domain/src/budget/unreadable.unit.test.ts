import { describe, expect, it } from '@jest/globals';
import type { HourlyPrice, Placement } from '@davit/contracts';
import { readableMeter } from '../lifecycle/readable.js';
import type { ReplicaState } from '../lifecycle/state.js';
import { History } from '../testing/history.js';
import { Life } from '../testing/life.js';
import { type BudgetAccount, balanceOf } from './account.js';
import { budgetRoom } from './room.js';
import { budgetVictims } from './victims.js';
import { judgeBudget } from './verdict.js';

const START = Date.UTC(2026, 0, 1);
const NOW = START + 3_600_000;
const placement: Placement = {
  ...{ cloud: 'runpod', region: null, accelerator: { name: 'L40S', count: 1 }, spot: false, maxHourlyPrice: null },
};
const price: HourlyPrice = {
  ...{ amount: '1.00', currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'test' },
  observedAt: new Date(START).toISOString(),
};

function running(ordinal: number): ReplicaState {
  const life = new Life(new History(START), { ordinal }).requested().replica('discovery-requested', { attempt: 1 });
  life.discovered().replica('placed', { rung: 0, placement, adopted: false, price, evidence: [] });
  life.launchRequested().launched().seen();
  return life.history.replica(life.id);
}
const account = (replicas: readonly ReplicaState[]): BudgetAccount => ({
  ...{ of: 'tenant', name: 'acme', since: new Date(START).toISOString(), active: new Map(), replicas },
  limits: { currency: 'USD', onExceed: 'drain', maxHourly: '4', maxTotal: '10' },
});
/** The same replica, as tables hold it that something has spoilt. */
const spoilt = (replica: ReplicaState, from: string, to: string): ReplicaState =>
  JSON.parse(JSON.stringify(replica).replaceAll(from, to)) as ReplicaState; // its shape is the same but for that text

describe('a replica whose prices nobody can read', () => {
  it.each([
    ['an amount that is no number', '"amount":"1.00"', '"amount":"one"'],
    ['an amount below nothing', '"amount":"1.00"', '"amount":"-1"'],
    ['an amount that is no text', '"amount":"1.00"', '"amount":{}'],
    ['no rates at all', '"rates":[', '"rates":[],"lost":['],
    ['an instant that is none', '"from":"2026', '"from":"never'],
  ])('counts as a price that is unknown, and stops nobody else in its budget: %s', (_, from, to) => {
    const [good, bad] = [running(0), spoilt(running(1), from, to)];
    expect(bad).not.toEqual(running(1));
    const balance = balanceOf(account([good, bad]), NOW);
    expect(balance).toMatchObject({ hourly: '1.00', machines: 1, unjudged: 1 });
    expect(balance.unjudgedMs).toBeGreaterThan(0);
    expect(budgetRoom(account([good, bad]), NOW).hourlyLeft).toEqual({ amount: '0', currency: 'USD' });
    const verdict = judgeBudget(account([good, bad]), NOW);
    expect(verdict.state).toBe('unknown');
    expect(budgetVictims(verdict)).toEqual([]);
  });

  it('is bounded by the ceiling of its placement, where that can be read', () => {
    const bad = spoilt(running(1), '"amount":"1.00"', '"amount":"one"');
    const capped: ReplicaState = { ...bad, placement: { ...placement, maxHourlyPrice: '2' } };
    expect(balanceOf(account([capped]), NOW)).toMatchObject({ hourly: '2', unjudged: 0 });
    const senseless: ReplicaState = { ...bad, placement: { ...placement, maxHourlyPrice: 'two' } };
    expect(balanceOf(account([senseless]), NOW)).toMatchObject({ hourly: '0', unjudged: 1 });
  });

  it('changes nothing of books that can be read', () => {
    const { meter } = running(0);
    expect(meter && readableMeter(meter)).toBe(meter);
  });
});
