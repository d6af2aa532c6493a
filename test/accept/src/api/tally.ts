import { OPERATIONS, counted } from '@davit/contracts';

/** What was answered, as the hooks write it. */
export interface Answers {
  /** Counts by operation and status. */
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The longest that each operation took to answer, in milliseconds. */
  readonly slowestMs: Readonly<Record<string, number>>;
}

const CLASSES = ['2', '3', '4', '5'] as const;

/** What each operation was answered and how slowly at worst, one line each, and all of it. */
export function tallied({ counts, slowestMs }: Answers): string {
  const rows = Object.entries(counts)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, of]) => ({
      operation,
      sums: CLASSES.map((digit) => countOf(of, digit)),
      slowest: Math.round(slowestMs[operation] ?? 0),
    }));
  const all = CLASSES.map((_, index) => rows.reduce((total, { sums }) => total + (sums[index] ?? 0), 0));
  const slowest = Math.max(0, ...rows.map((row) => row.slowest));
  return [
    ['answers by operation', ...CLASSES.map((digit) => `${digit}xx`), 'slowest'],
    ...rows.map((row) => [row.operation, ...row.sums, `${row.slowest} ms`]),
    [counted(rows.length, 'operation'), ...all, `${slowest} ms`],
  ]
    .map(
      ([name = '', ...cells]) => `${String(name).padEnd(54)}${cells.map((cell) => String(cell).padStart(9)).join('')}`,
    )
    .join('\n');
}

const countOf = (counts: Readonly<Record<string, number>>, digit: string): number =>
  Object.entries(counts).reduce((total, [status, count]) => total + (status.startsWith(digit) ? count : 0), 0);

/** Published operations that nobody asked. */
export const neverAsked = ({ counts }: Answers): readonly string[] =>
  OPERATIONS.map(({ method, path }) => `${method} ${path}`).filter((operation) => counts[operation] === undefined);
