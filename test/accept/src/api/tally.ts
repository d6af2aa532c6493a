/** Counts of answers by operation and status. */
export type Answers = Readonly<Record<string, Readonly<Record<string, number>>>>;

const CLASSES = ['2', '3', '4', '5'] as const;

/** What each operation was answered, one line each, and all of it. */
export function tallied(answers: Answers): string {
  const rows = Object.entries(answers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([operation, counts]) => [operation, ...CLASSES.map((digit) => countOf(counts, digit))] as const);
  const sums = CLASSES.map((_, index) => rows.reduce((total, row) => total + Number(row[index + 1]), 0));
  const head = ['answers by operation', ...CLASSES.map((digit) => `${digit}xx`)];
  return [head, ...rows, [`${rows.length} operations`, ...sums]]
    .map(
      ([name = '', ...cells]) => `${String(name).padEnd(52)}${cells.map((cell) => String(cell).padStart(7)).join('')}`,
    )
    .join('\n');
}

const countOf = (counts: Readonly<Record<string, number>>, digit: string): number =>
  Object.entries(counts).reduce((total, [status, count]) => total + (status.startsWith(digit) ? count : 0), 0);
