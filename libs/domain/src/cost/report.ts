import type { CostFigure, CostGroup, CostRow, CostView } from '@davit/contracts';
import { addAmounts } from '../money.js';
import { describeDeviation, deviationOf } from '../prices/deviation.js';
import { type Cell, type CellAmount, type CostMachine, cellsOf } from './cell.js';
import { isClosed } from './days.js';

export type CostQuestion = {
  /** Days in UTC, both inclusive. */
  readonly from: string;
  readonly to: string;
  readonly by: CostGroup;
};

/**
 * What machines cost, by day, deployment, tenant or replica. A fold over price-at-time that looks into no catalogue: what was
 * written stays what it was, and a placement or a kind of price that exists no more changes nothing.
 */
export function costReport(
  machines: readonly CostMachine[],
  { from, to, by }: CostQuestion,
  nowMs: number,
): Pick<CostView, 'from' | 'to' | 'by' | 'rows' | 'total'> {
  // A clock may tell parts of a millisecond, which no event does.
  const untilMs = Math.floor(nowMs);
  const cells = machines.flatMap((machine) => cellsOf(machine, { from, to }, untilMs));
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const key = keyOf(cell, by);
    const group = groups.get(key);
    if (group) group.push(cell);
    else groups.set(key, [cell]);
  }
  const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => rowOf(group, by, to, nowMs));
  return { from, to, by, rows, total: rowOf(cells, 'total', to, nowMs) };
}

function keyOf({ machine, day }: Cell, by: CostGroup): string {
  switch (by) {
    case 'day':
      return day;
    case 'deployment':
      // After all others: no name of a tenant or a deployment begins so.
      return machine.deployment ?? `~orphans/${machine.tenant}`;
    case 'tenant':
      return machine.tenant;
    case 'replica':
      return machine.replica;
  }
}

function rowOf(cells: readonly Cell[], by: CostGroup | 'total', to: string, nowMs: number): CostRow {
  const [first] = cells;
  const named = by === 'total' || by === 'day' ? undefined : first?.machine;
  const day = by === 'day' ? (first?.day ?? null) : null;
  const last = latestOfEach(cells);
  const sum = (ms: (cell: Cell) => number): number => cells.reduce((total, cell) => total + ms(cell), 0);
  return {
    day,
    tenant: named?.tenant ?? null,
    deployment: by === 'tenant' ? null : (named?.deployment ?? null),
    replica: by === 'replica' ? (named?.replica ?? null) : null,
    figures: figuresOf(cells),
    unpriced: {
      confirmedMs: sum(({ unpriced }) => unpriced.confirmedMs),
      heldMs: sum(({ unpriced }) => unpriced.heldMs),
      takenBackMs: sum(({ unpriced }) => unpriced.takenBackMs),
    },
    machines: last.length,
    unreadable: last.filter(({ isUnreadable }) => isUnreadable).length,
    orphans: last.filter(({ machine }) => machine.deployment === null).length,
    billing: last.filter(({ billing }) => billing).length,
    closed: isClosed(day ?? to, nowMs),
    evidence: {
      confirmed: cited(cells.flatMap(({ evidence }) => evidence.confirmed)),
      held: cited(cells.flatMap(({ evidence }) => evidence.held)),
    },
  };
}

/** The latest day of each machine: its cells come in order of days. */
const latestOfEach = (cells: readonly Cell[]): Cell[] => [
  ...new Map(cells.map((cell) => [cell.machine.replica, cell])).values(),
];

function figuresOf(cells: readonly Cell[]): CostFigure[] {
  const amounts = cells.flatMap((cell) => cell.amounts);
  const currencies = [...new Set(amounts.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const these = amounts.filter((amount) => amount.currency === currency);
    const kinds = [...new Set(these.map(({ kind }) => kind))].sort();
    return {
      currency,
      ...sumOf(these),
      byKind: kinds.map((kind) => ({ kind, ...sumOf(these.filter((amount) => amount.kind === kind)) })),
      deviation: deviationIn(cells, currency),
    };
  });
}

const sumOf = (amounts: readonly CellAmount[]): Pick<CellAmount, 'confirmed' | 'held' | 'takenBack'> => ({
  confirmed: total(amounts.map(({ confirmed }) => confirmed)),
  held: total(amounts.map(({ held }) => held)),
  takenBack: total(amounts.map(({ takenBack }) => takenBack)),
});

const total = (amounts: readonly string[]): string => amounts.reduce(addAmounts, '0.000000');

function deviationIn(cells: readonly Cell[], currency: string): CostFigure['deviation'] {
  const pairs = cells.flatMap(({ billed }) => billed.get(currency) ?? []);
  const billed = total(pairs.map((pair) => pair.billed));
  const estimate = total(pairs.map((pair) => pair.estimate));
  const deviation = deviationOf({ amount: billed, currency }, { amount: estimate, currency });
  return deviation && { billed, estimate, percent: describeDeviation(deviation) };
}

function cited(positions: readonly number[]): CostRow['evidence']['held'] {
  const all = [...new Set(positions)].sort((a, b) => a - b);
  return { positions: all, more: 0 };
}

/** The row with so many positions for each figure at most, the first; the others are counted. */
export function citingAtMost(row: CostRow, limit: number): CostRow {
  const first = ({ positions, more }: CostRow['evidence']['held']): CostRow['evidence']['held'] => ({
    positions: positions.slice(0, limit),
    more: more + Math.max(0, positions.length - limit),
  });
  return { ...row, evidence: { confirmed: first(row.evidence.confirmed), held: first(row.evidence.held) } };
}
