import { beforeEach, describe, expect, it } from '@jest/globals';
import { type HourlyPrice, type NewEvent, stream } from '@davit/contracts';
import { balanceOf } from '../budget/account.js';
import { budgetRoom } from '../budget/room.js';
import { budgetVictims } from '../budget/victims.js';
import { judgeBudget } from '../budget/verdict.js';
import { costReport } from '../cost/report.js';
import { KEY, RolloutStage } from './testing/stage.js';

const HOUR_MS = 3_600_000;
const at = (amount: string): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'vast instances' },
  observedAt: '2026-01-01T00:00:00.000Z',
});

describe('what the canary of a rollout costs', () => {
  let stage: RolloutStage;
  const canary = () => {
    const found = stage.state?.canary;
    if (!found) throw new Error('no canary was asked for');
    return found;
  };
  const fact = (name: string, data: object): RolloutStage => {
    const { externalKey } = canary();
    const whose = { externalKey, replicaId: null, adapter: 'vast-serverless', rolloutId: stage.state?.id };
    // The caller names a fact together with its own data.
    stage.append(stream.endpoint(externalKey), {
      type: `davit.endpoint.${name}`,
      data: { ...whose, ...data },
    } as NewEvent);
    return stage;
  };
  const observed = (price: HourlyPrice | null): RolloutStage =>
    fact('observed', { phase: 'up', url: null, providerId: '9', price, class: null, detail: '' });
  const account = () => {
    const [found] = stage.budgetsOf(KEY);
    if (!found) throw new Error('no budget is set');
    return found;
  };

  beforeEach(() => {
    stage = new RolloutStage().serving();
    stage.given(stream.tenant('default'), 'davit.tenant.budget-set', {
      intentId: '00000000-0000-7000-8000-00000000aaac',
      budget: { currency: 'USD', onExceed: 'drain', maxHourly: '2', maxTotal: '10' },
    });
    stage.declare({ templateHash: 'b'.repeat(32) }).settle();
    for (let turn = 0; turn < 10 && !stage.state?.canary; turn++) stage.step();
  });

  it('is unknown, and so leaves no room, from the moment that it may be launched', () => {
    expect(canary().meter).toBeNull();
    expect(balanceOf(account(), stage.nowMs)).toMatchObject({ unjudged: 1, machines: 0 });
    expect(budgetRoom(account(), stage.nowMs).hourlyLeft?.amount).toBe('0');
  });

  it('counts against its budgets per hour and in all, until it is proven gone', () => {
    stage.step();
    observed(at('0.50'));
    expect(balanceOf(account(), stage.nowMs)).toMatchObject({ hourly: '0.50', machines: 1, unjudged: 0 });
    stage.later(2 * HOUR_MS);
    expect(Number(balanceOf(account(), stage.nowMs).total)).toBeCloseTo(1, 2);
    expect(Number(balanceOf(account(), stage.nowMs).confirmed)).toBeCloseTo(1, 2);
    fact('absence-confirmed', {
      observedAt: [new Date(stage.nowMs - 10_000).toISOString(), new Date(stage.nowMs).toISOString()],
      inventoryRows: 0,
    });
    stage.later(HOUR_MS);
    expect(balanceOf(account(), stage.nowMs)).toMatchObject({ hourly: '0', machines: 0 });
    expect(Number(balanceOf(account(), stage.nowMs).total)).toBeCloseTo(1, 2);
  });

  it('is over a ceiling where it is, and no machine that serves is drained for it', () => {
    stage.step();
    observed(at('2.50'));
    const verdict = judgeBudget(account(), stage.nowMs);
    expect(verdict.state).toBe('hourly-exceeded');
    expect(budgetVictims(verdict)).toEqual([]);
  });

  it('is reported as its deployment’s, by day and by machine, and cites the events of its endpoint', () => {
    stage.step();
    observed(at('0.50'));
    stage.later(HOUR_MS);
    const { externalKey, meter } = canary();
    if (!meter) throw new Error('nothing was launched');
    const machine = { replica: `canary:${externalKey}`, deployment: KEY, tenant: 'default', meter };
    const day = new Date(stage.nowMs).toISOString().slice(0, 10);
    const { rows } = costReport([machine], { from: day, to: day, by: 'deployment' }, stage.nowMs);
    const cited = new Set(
      rows.flatMap(({ evidence }) => [...evidence.held.positions, ...evidence.confirmed.positions]),
    );
    expect(rows).toMatchObject([{ deployment: KEY, figures: [{ currency: 'USD', confirmed: '0.500000' }] }]);
    const types = stage.events.filter(({ position }) => cited.has(position)).map(({ type }) => type);
    expect(types).toEqual(['davit.endpoint.launch-accepted', 'davit.endpoint.observed']);
  });

  it('is nothing where the launch turns out to have been refused', () => {
    stage.step('unknown');
    expect(canary().meter?.until).toBeNull();
    fact('launch-refused', { attempt: 1, class: 'quota', detail: 'no credit' });
    expect(balanceOf(account(), stage.nowMs)).toMatchObject({ hourly: '0', machines: 0, unjudged: 0, unjudgedMs: 0 });
  });

  it('goes on where it is seen again after it had been proven gone', () => {
    stage.step();
    observed(at('0.50'));
    fact('absence-confirmed', {
      observedAt: [new Date(stage.nowMs - 10_000).toISOString(), new Date(stage.nowMs).toISOString()],
      inventoryRows: 0,
    });
    observed(at('0.50'));
    expect(balanceOf(account(), stage.nowMs)).toMatchObject({ hourly: '0.50', machines: 1 });
  });
});
