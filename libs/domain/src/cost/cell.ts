import {
  type Accrued,
  type PriceKind,
  type Slot,
  type Stretch,
  accruedUpTo,
  instantMs,
  overlapMs,
} from '../lifecycle/accrual.js';
import type { Meter } from '../lifecycle/meter.js';
import { readableMeter } from '../lifecycle/readable.js';
import { compareAmounts, subtractAmounts } from '../money.js';
import { estimatedRates, heldAsKnown } from './accrual.js';
import { dayOf, daysBetween, endOfDay, startOfDay } from './days.js';

/** One machine that was or may have been rented for a replica or to prove a candidate, or that nobody owns. */
export type CostMachine = {
  /** Id of the replica, key of the orphan, or `canary:` and the external key of a canary. */
  readonly replica: string;
  /** Null for an orphan. */
  readonly deployment: string | null;
  readonly tenant: string;
  readonly meter: Meter;
};

/** What one machine came to on one day, and the events that say so: what every report is a sum of. */
export type Cell = {
  readonly machine: CostMachine;
  readonly day: string;
  readonly amounts: readonly CellAmount[];
  /** Of the billed time that something was estimated for before; by currency. */
  readonly billed: ReadonlyMap<string, { readonly billed: string; readonly estimate: string }>;
  readonly unpriced: { readonly confirmedMs: number; readonly heldMs: number; readonly takenBackMs: number };
  /** Its books cannot be read: what it cost is not known. */
  readonly isUnreadable: boolean;
  /** Whether it counted as billing at the end of the day, as far as was known then. */
  readonly billing: boolean;
  readonly evidence: { readonly confirmed: readonly number[]; readonly held: readonly number[] };
};

export type CellAmount = {
  readonly currency: string;
  readonly kind: PriceKind;
  readonly confirmed: string;
  readonly held: string;
  readonly takenBack: string;
};

/**
 * The cells of a machine, for each day of the span on which something came together or was taken back. Of books in disorder what can be
 * read counts; where that is nothing, one cell says so on the last day, and no other machine's figures are any the worse (law 10).
 */
export function cellsOf(
  machine: CostMachine,
  span: { readonly from: string; readonly to: string },
  nowMs: number,
): Cell[] {
  const meter = readableMeter(machine.meter);
  if (!meter) return [unreadable(machine, span.to)];
  const { since, ends, until } = meter;
  const from = later(span.from, dayOf(Date.parse(since)));
  const lastMs = until === null ? nowMs : Date.parse(ends.at(-1)?.at ?? until);
  const to = earlier(span.to, dayOf(lastMs));
  return daysBetween(from, to).map((day) => cellOf({ ...machine, meter }, day, nowMs));
}

const NO_TIME = { confirmedMs: 0, heldMs: 0, takenBackMs: 0 };

/** Not proven gone, it counts as billing. */
const unreadable = (machine: CostMachine, day: string): Cell => ({
  ...{ machine, day, amounts: [], billed: new Map(), unpriced: NO_TIME, isUnreadable: true, billing: true },
  evidence: { confirmed: [], held: [] },
});

function cellOf(machine: CostMachine, day: string, nowMs: number): Cell {
  const { meter } = machine;
  const fromMs = startOfDay(day);
  const toMs = Math.min(endOfDay(day), Math.max(nowMs, fromMs));
  // What becomes known at the first instant of a day belongs to that day; of a day that goes on, the present is known.
  const knownMs = toMs === endOfDay(day) ? toMs - 1 : toMs;
  const held = growth(
    accruedUpTo(meter.rates, heldAsKnown(meter, fromMs - 1), fromMs),
    accruedUpTo(meter.rates, heldAsKnown(meter, knownMs), toMs),
  );
  const confirmed = growth(accruedUpTo(meter.rates, meter.seen, fromMs), accruedUpTo(meter.rates, meter.seen, toMs));
  const slots = [...new Set([...held.more.keys(), ...held.less.keys(), ...confirmed.more.keys()])].sort();
  return {
    machine,
    day,
    amounts: slots.map((slot) => ({
      ...partsOf(slot),
      confirmed: confirmed.more.get(slot) ?? '0',
      held: held.more.get(slot) ?? '0',
      takenBack: held.less.get(slot) ?? '0',
    })),
    billed: billedOf(meter, fromMs, toMs),
    unpriced: { confirmedMs: confirmed.moreMs, heldMs: held.moreMs, takenBackMs: held.lessMs },
    isUnreadable: false,
    billing: heldAsKnown(meter, knownMs)[0]?.until === null,
    evidence: evidenceOf(meter, fromMs, knownMs),
  };
}

type Growth = {
  readonly more: ReadonlyMap<Slot, string>;
  readonly less: ReadonlyMap<Slot, string>;
  readonly moreMs: number;
  readonly lessMs: number;
};

function growth(before: Accrued, after: Accrued): Growth {
  const more = new Map<Slot, string>();
  const less = new Map<Slot, string>();
  for (const slot of new Set([...before.amounts.keys(), ...after.amounts.keys()])) {
    const [was, is] = [before.amounts.get(slot) ?? '0', after.amounts.get(slot) ?? '0'];
    const order = compareAmounts(is, was);
    if (order > 0) more.set(slot, subtractAmounts(is, was));
    if (order < 0) less.set(slot, subtractAmounts(was, is));
  }
  const ms = after.unpricedMs - before.unpricedMs;
  return { more, less, moreMs: Math.max(0, ms), lessMs: Math.max(0, -ms) };
}

const partsOf = (slot: Slot): { readonly currency: string; readonly kind: PriceKind } => {
  const [currency = '', kind] = slot.split(' ');
  // A slot is made of these two, by its type.
  return { currency, kind: kind as PriceKind };
};

function billedOf(meter: Meter, fromMs: number, toMs: number): Cell['billed'] {
  const rates = estimatedRates(meter.rates);
  if (!rates) return new Map();
  const estimated = rates.map((period, index) => (period.price ? (meter.rates[index] ?? period) : period));
  const [estimate, billed] = [rates, estimated].map((these) =>
    growth(accruedUpTo(these, meter.seen, fromMs), accruedUpTo(these, meter.seen, toMs)),
  );
  return new Map(
    [...(billed?.more ?? [])].map(([slot, amount]) => {
      const { currency } = partsOf(slot);
      const guess = [...(estimate?.more ?? [])].find(([of]) => partsOf(of).currency === currency)?.[1] ?? '0';
      return [currency, { billed: amount, estimate: guess }];
    }),
  );
}

/** Events that the figures of the day rest on; none that came after it. */
function evidenceOf(meter: Meter, fromMs: number, knownMs: number): Cell['evidence'] {
  const { position, seen, ends } = meter;
  const within = (at: string): boolean => Date.parse(at) <= knownMs && Date.parse(at) >= fromMs;
  const sights = seen.flatMap(({ from, until, fromPosition, untilPosition }) => {
    if (Date.parse(from) > knownMs || (until !== null && Date.parse(until) < fromMs)) return [];
    const ended = until !== null && untilPosition !== null && Date.parse(until) <= knownMs;
    return ended ? [fromPosition, untilPosition] : [fromPosition];
  });
  const turns = ends.flatMap((end) => (within(end.at) ? [end.position] : []));
  const [shown, held] = [seen, heldAsKnown(meter, knownMs)].map((stretches) =>
    pricesOver(meter, stretches, fromMs, knownMs),
  );
  return {
    confirmed: sights.length === 0 ? [] : ascending([...(shown ?? []), ...sights]),
    held: ascending([position, ...(held ?? []), ...turns]),
  };
}

/** Positions of the prices that held for some of the time. */
function pricesOver({ rates }: Meter, stretches: readonly Stretch[], fromMs: number, toMs: number): number[] {
  return rates.flatMap(({ from, position }, index) => {
    const next = rates[index + 1]?.from ?? null;
    const [startMs, endMs] = [Math.max(fromMs, Date.parse(from)), Math.min(toMs, instantMs(next))];
    return stretches.some((stretch) => overlapMs(stretch, startMs, endMs) > 0) ? [position] : [];
  });
}

const ascending = (positions: readonly number[]): number[] => [...new Set(positions)].sort((a, b) => a - b);
const later = (a: string, b: string): string => (a > b ? a : b);
const earlier = (a: string, b: string): string => (a < b ? a : b);
