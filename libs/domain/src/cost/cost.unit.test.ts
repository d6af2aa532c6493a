import { describe, expect, it } from '@jest/globals';
import { type CostRow, type HourlyPrice, type Placement, costView } from '@davit/contracts';
import fc from 'fast-check';
import { confirmedOn, heldOn } from '../lifecycle/meter.js';
import { addAmounts, compareAmounts, subtractAmounts } from '../money.js';
import { History } from '../testing/history.js';
import { Life } from '../testing/life.js';
import type { CostMachine } from './cell.js';
import { dayOf } from './days.js';
import { type CostQuestion, citingAtMost, costReport } from './report.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const EVENING = Date.UTC(2026, 0, 1, 22);
const L40S: Placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 1 },
  spot: false,
  maxHourlyPrice: null,
};
const price = (amount: string, change: Partial<HourlyPrice> = {}): HourlyPrice => ({
  ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'runpod-v2' },
  ...{ observedAt: new Date(EVENING).toISOString(), ...change },
});

/** One replica that is asked for, placed at a price and about to be launched. */
function placed(history: History, incarnation = 1, at: HourlyPrice | null = price('1.00')): Life {
  const life = new Life(history, { incarnation })
    .requested()
    .replica('discovery-requested', { attempt: 1 })
    .discovered();
  life.replica('placed', { rung: 0, placement: L40S, adopted: false, price: at, evidence: [] }).launchRequested();
  return life.fact('launch-attempted', { attempt: 1, placement: L40S, leaseEpoch: 1 });
}
const seenUp = (life: Life, at: HourlyPrice | null = null): Life =>
  life.fact('observed', { phase: 'up', url: null, providerId: null, price: at, class: null, detail: '' });
const accepted = (life: Life): Life => life.fact('launch-accepted', { attempt: 1, handle: null, resolvedBy: 'reply' });
const lost = (life: Life): Life => life.fact('launch-unknown', { attempt: 1, detail: 'timed out' });

const machinesOf = (history: History, lives: readonly Life[]): CostMachine[] =>
  lives.flatMap(({ id }) => {
    const { tenant, deployment, meter } = history.replica(id);
    return meter ? [{ replica: id, tenant, deployment, meter }] : [];
  });
const report = (history: History, lives: readonly Life[], question: Partial<CostQuestion> = {}) => {
  const asked = { from: '2026-01-01', to: '2026-01-31', by: 'day', ...question } as const;
  const told = costReport(machinesOf(history, lives), asked, history.nowMs);
  const view = { ...told, left: 0, position: history.events.length };
  expect(costView.parse(view)).toEqual(view);
  return told;
};
const sums = ({ figures }: CostRow): unknown =>
  figures.map(({ currency, confirmed, held, takenBack }) => [currency, confirmed, held, takenBack]);

describe('what a machine cost', () => {
  it('is told by day in UTC, confirmed from where the provider shows it and held from the launch on', () => {
    const history = new History(EVENING);
    const life = accepted(placed(history));
    history.nowMs = EVENING + HOUR;
    seenUp(life);
    history.nowMs = EVENING + 3 * HOUR;
    life.goes();
    const { rows } = report(history, [life]);
    expect(rows.map(({ day, closed, billing }) => [day, closed, billing])).toEqual([
      ['2026-01-01', true, 1],
      ['2026-01-02', false, 0],
    ]);
    expect(rows[0] && sums(rows[0])).toEqual([['USD', '1.000000', '1.998333', '0.000000']]);
    // The first sight of its absence ends what is confirmed; its proof ends what is held.
    expect(rows[1] && sums(rows[1])).toEqual([['USD', '1.000833', '1.001389', '0.000000']]);
  });

  it('cites the events of its launch, prices, sights and end, and none that came after the day', () => {
    const history = new History(EVENING);
    const life = accepted(placed(history));
    const launched = history.events.length;
    seenUp(life, price('0.90', { kind: 'billed' }));
    const seen = history.events.length;
    history.nowMs = EVENING + 3 * HOUR;
    life.goes();
    const absent = history.events.findIndex(({ type }) => type === 'davit.resource.absence-observed') + 1;
    const gone = history.events.findIndex(({ type }) => type === 'davit.resource.absence-confirmed') + 1;
    expect(report(history, [life]).rows.map(({ evidence }) => evidence)).toEqual([
      { confirmed: { positions: [seen], more: 0 }, held: { positions: [launched, seen], more: 0 } },
      { confirmed: { positions: [seen, absent], more: 0 }, held: { positions: [launched, seen, gone], more: 0 } },
    ]);
  });

  it('is what the provider confirms where a launch failed, not what was asked for', () => {
    const history = new History(EVENING);
    const life = accepted(placed(history));
    history.nowMs = EVENING + HOUR;
    life.failed(false).goes();
    expect(report(history, [life]).rows.map(sums)).toEqual([[['USD', '0.000000', '1.000000', '0.000000']]]);
  });

  it('is nothing where the launch was refused, and what was held meanwhile is taken back when that is known', () => {
    const history = new History(EVENING);
    const life = lost(placed(history));
    history.nowMs = EVENING + 4 * HOUR;
    life.fact('launch-refused', { attempt: 1, class: 'capacity', detail: 'no stock' });
    const { rows, total } = report(history, [life]);
    expect(rows.map(sums)).toEqual([
      [['USD', '0.000000', '1.998333', '0.000000']],
      [['USD', '0.000000', '0.000000', '1.998333']],
    ]);
    expect(sums(total)).toEqual([['USD', '0.000000', '1.998333', '1.998333']]);
    expect(total.billing).toBe(0);
  });

  it('grows on the day on which a machine that was proven gone is seen again', () => {
    const history = new History(EVENING);
    const life = seenUp(accepted(placed(history)));
    life.goes();
    const closed = report(history, [life], { to: '2026-01-01' });
    history.nowMs = EVENING + 25 * HOUR;
    seenUp(life);
    expect(report(history, [life], { to: '2026-01-01' }).rows.map(sums)).toEqual(closed.rows.map(sums));
    const { rows } = report(history, [life], { from: '2026-01-02', to: '2026-01-02' });
    expect(rows.map(({ figures }) => figures[0]?.held)).toEqual([expect.stringMatching(/^24\.99/)]);
  });

  it('is told at any moment, one between two milliseconds too', () => {
    const history = new History(EVENING);
    const life = seenUp(accepted(placed(history)));
    history.nowMs = EVENING + HOUR + 0.7099609375;
    expect(report(history, [life]).total.figures[0]?.confirmed).toBe('0.998056');
  });

  it('law-04: is time, and never zero, where nobody said a price', () => {
    const history = new History(EVENING);
    const life = seenUp(accepted(placed(history, 1, null)));
    history.nowMs = EVENING + HOUR;
    const { total } = report(history, [life]);
    expect(total.figures).toEqual([]);
    expect(total.unpriced).toEqual({ confirmedMs: HOUR - 7_000, heldMs: HOUR - 6_000, takenBackMs: 0 });
  });

  it('keeps currencies and kinds of price apart, and tells how far the bill lies from what was said before', () => {
    const history = new History(EVENING);
    const billed = seenUp(accepted(placed(history, 1, price('0.43'))), price('0.30', { kind: 'billed' }));
    const euros = seenUp(accepted(placed(history, 2, price('2', { currency: 'EUR', kind: 'catalogue' }))));
    history.nowMs = EVENING + HOUR;
    const [eur, usd] = report(history, [billed, euros]).total.figures;
    expect(eur).toMatchObject({ currency: 'EUR', deviation: null, byKind: [{ kind: 'catalogue' }] });
    expect(usd?.byKind.map(({ kind }) => kind)).toEqual(['billed', 'quoted']);
    expect(usd?.deviation?.percent).toMatch(/^-30\.23 %$/);
    expect(usd?.byKind.map(({ held }) => held).reduce(addAmounts)).toBe(usd?.held);
  });

  it('outlives placements and kinds of price that exist no more: nothing is looked up', () => {
    const history = new History(EVENING);
    const gone = { ...L40S, cloud: 'a-cloud-that-closed', accelerator: { name: 'g3.8xlarge', count: 1 } };
    const life = placed(history).replica('placed', {
      rung: 9,
      placement: gone,
      adopted: false,
      price: price('3'),
      evidence: [],
    });
    seenUp(accepted(life));
    history.nowMs = EVENING + HOUR;
    const machines = machinesOf(history, [life]).map((machine) => ({
      ...machine,
      // A kind that this version does not know, as a log of another one may hold.
      meter: JSON.parse(JSON.stringify(machine.meter).replaceAll('"quoted"', '"barter"')) as CostMachine['meter'],
    }));
    const told = costReport(machines, { from: '2026-01-01', to: '2026-01-01', by: 'tenant' }, history.nowMs);
    const { total } = costView.parse({ ...told, left: 0, position: 1 });
    expect(total.figures).toMatchObject([{ currency: 'USD', byKind: [{ kind: 'barter' }] }]);
  });
});

describe('books that nobody can read', () => {
  const [from, to] = ['2026-01-01', '2026-01-02'];
  const spoil = (machine: CostMachine, what: string, into: string): CostMachine => ({
    ...machine,
    // Its shape is the same but for that text.
    meter: JSON.parse(JSON.stringify(machine.meter).replaceAll(what, into)) as CostMachine['meter'],
  });

  it.each([
    ['an amount that is no number', '"amount":"1.00"', '"amount":"one"', { unreadable: 0, heldMs: HOUR - MINUTE }],
    ['an amount below nothing', '"amount":"1.00"', '"amount":"-1"', { unreadable: 0, heldMs: HOUR - MINUTE }],
    ['an instant that is none', '"from":"2026', '"from":"never', { unreadable: 1, heldMs: 0 }],
    ['no ends at all', '"ends"', '"lost"', { unreadable: 1, heldMs: 0 }],
  ])('law-10: are told as not known, and spoil no other machine: %s', (_, what, into, wanted) => {
    const history = new History(EVENING);
    const lives = [1, 2].map((incarnation) => seenUp(accepted(placed(history, incarnation))));
    history.nowMs = EVENING + HOUR;
    const [good, bad] = machinesOf(history, lives);
    if (!good || !bad) throw new Error('both have a meter');
    const told = (machines: readonly CostMachine[]) => costReport(machines, { from, to, by: 'replica' }, history.nowMs);
    const alone = told([good]);
    const both = told([good, spoil(bad, what, into)]);
    expect(both.rows.find(({ replica }) => replica === good.replica)).toEqual(alone.rows[0]);
    expect(both.total.figures).toEqual(alone.total.figures);
    const row = both.rows.find(({ replica }) => replica === bad.replica);
    expect(row).toMatchObject({ figures: [], machines: 1, billing: 1, unreadable: wanted.unreadable });
    expect(row?.unpriced.heldMs).toBeGreaterThanOrEqual(wanted.heldMs);
    expect(costView.parse({ ...both, left: 0, position: 1 }).total).toMatchObject({ machines: 2, billing: 2 });
  });
});

type Step = { readonly minutes: number; readonly what: 'up' | 'dearer' | 'unpriced' | 'stopped' | 'goes' | 'refused' };
const steps = fc.array(
  fc.record({
    minutes: fc.integer({ min: 1, max: 1_500 }),
    what: fc.constantFrom('up', 'dearer', 'unpriced', 'stopped', 'goes', 'refused' as const),
  }),
  { maxLength: 8 },
);
function take(life: Life, { what, minutes }: Step): void {
  const seen = { url: null, providerId: null, class: null, detail: '' } as const;
  if (what === 'up') seenUp(life);
  else if (what === 'dearer') seenUp(life, price(`0.${minutes}`, { kind: 'billed' }));
  else if (what === 'unpriced') life.fact('observed', { phase: 'unknown', price: null, ...seen });
  else if (what === 'stopped') life.fact('observed', { phase: 'stopped', price: null, ...seen });
  else if (what === 'refused') life.fact('launch-refused', { attempt: 1, class: 'capacity', detail: '' });
  else life.absent().absent().confirmed();
}

describe('what nobody owns', () => {
  const key = 'skypilot:dv-aaaaa-x@runpod:pod1';
  const who = { externalKey: 'dv-aaaaa-x', replicaId: null, adapter: 'skypilot' };
  function found(history: History): History {
    const facts = { reason: 'no-owner', providerId: 'runpod:pod1', phase: 'up', policy: 'report', detail: '' } as const;
    const quarantinedUntil = new Date(history.nowMs + HOUR).toISOString();
    return history.given(`resource/${key}`, 'davit.resource.orphan-found', {
      ...{ ...who, ...facts, quarantinedUntil },
      price: price('0.50'),
    });
  }
  const reported = (history: History): CostRow => {
    const { tenant, meter } = history.orphan(key);
    const machines = meter ? [{ replica: key, deployment: null, tenant, meter }] : [];
    return costReport(machines, { from: '2026-01-01', to: '2026-01-31', by: 'deployment' }, history.nowMs).total;
  };

  it('is held at its price from where it was found until it is gone, cited, and never confirmed', () => {
    const history = found(new History(EVENING));
    history.later(2 * HOUR).given(`resource/${key}`, 'davit.resource.orphan-cleared', {
      ...{ ...who, reason: 'gone', detail: '' },
    });
    history.later(5 * HOUR);
    const row = reported(history);
    expect(sums(row)).toEqual([['USD', '0.000000', '1.000000', '0.000000']]);
    expect(row).toMatchObject({ deployment: null, orphans: 1, billing: 0 });
    expect(row.evidence).toEqual({ confirmed: { positions: [], more: 0 }, held: { positions: [1, 2], more: 0 } });
  });

  it('is taken back where it turns out to be its owner’s, whose meter counts it', () => {
    const history = found(new History(EVENING));
    history.later(3 * HOUR).given(`resource/${key}`, 'davit.resource.orphan-cleared', {
      ...{ ...who, reason: 'owner-found', detail: '' },
    });
    expect(sums(reported(history))).toEqual([['USD', '0.000000', '1.000000', '1.000000']]);
    found(history.later(HOUR)).later(HOUR);
    expect(sums(reported(history))).toEqual([['USD', '0.000000', '0.500000', '0.000000']]);
  });
});

it('a row cites as many events as are wanted, and counts the others', () => {
  const history = new History(EVENING);
  const life = seenUp(accepted(placed(history)), price('2.00', { kind: 'billed' }));
  history.later(HOUR);
  const { total } = report(history, [life]);
  const [first = 0, ...others] = total.evidence.held.positions;
  expect(others.length).toBeGreaterThan(0);
  expect(citingAtMost(total, 1).evidence.held).toEqual({ positions: [first], more: others.length });
});

describe('a report', () => {
  it('law-14: of a day that is over never changes, however much of the log is folded after it', () => {
    fc.assert(
      fc.property(steps, fc.boolean(), (log, isLost) => {
        const history = new History(EVENING);
        const life = isLost ? lost(placed(history)) : accepted(placed(history));
        const told = new Map<string, CostRow>();
        for (const step of log) {
          history.later(step.minutes * 60_000);
          for (const row of report(history, [life]).rows) {
            const before = row.day === null ? undefined : told.get(row.day);
            if (before) expect(row).toEqual(before);
            if (row.closed && row.day !== null) told.set(row.day, row);
          }
          take(life, step);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('law-14: adds up: its days, and its replicas, come to the total to the last digit', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 3 }), (logs) => {
        const history = new History(EVENING);
        const lives = logs.map((log, index) => {
          const life = accepted(placed(history, index + 1));
          for (const step of log) take((history.later(step.minutes * 60_000), life), step);
          return life;
        });
        const to = dayOf(history.nowMs);
        for (const by of ['day', 'replica', 'deployment'] as const) {
          const { rows, total } = report(history, lives, { to, by });
          for (const part of ['confirmed', 'held', 'takenBack'] as const) {
            const of = (row: CostRow): string => row.figures[0]?.[part] ?? '0';
            expect(compareAmounts(rows.map(of).reduce(addAmounts, '0'), of(total))).toBe(0);
          }
          expect(rows.reduce((sum, { unpriced }) => sum + unpriced.heldMs, 0)).toBe(total.unpriced.heldMs);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('never confirms more than it holds, over the whole time', () => {
    fc.assert(
      fc.property(steps, (log) => {
        const history = new History(EVENING);
        const life = accepted(placed(history));
        for (const step of log) take((history.later(step.minutes * 60_000), life), step);
        const figure = report(history, [life], { to: dayOf(history.nowMs) }).total.figures[0];
        if (!figure) return;
        const held = subtractAmounts(figure.held, figure.takenBack);
        expect(compareAmounts(figure.confirmed, held)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 40 },
    );
  });

  it('law-14: comes to what a budget counts, to the last digit', () => {
    fc.assert(
      fc.property(steps, (log) => {
        const history = new History(EVENING);
        const life = accepted(placed(history, 1, price('0.79')));
        for (const step of log) take((history.later(step.minutes * 60_000 + 7), life), step);
        const figure = report(history, [life], { to: dayOf(history.nowMs) }).total.figures[0];
        const meters = machinesOf(history, [life]).map(({ meter }) => meter);
        const [held, confirmed] = [heldOn, confirmedOn].map((on) => on(meters, 0, history.nowMs).amounts[0]?.amount);
        const told = figure ? subtractAmounts(figure.held, figure.takenBack) : '0';
        expect(compareAmounts(told, held ?? '0')).toBe(0);
        expect(compareAmounts(figure?.confirmed ?? '0', confirmed ?? '0')).toBe(0);
      }),
      { numRuns: 100 },
    );
  });
});
