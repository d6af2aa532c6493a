/** What is held against what. Each has its own remedy: docs/how-to/rollouts.md. */
export const RECEIPT_CHECKS = [
  'files',
  'digests',
  'events',
  'evidence',
  'approval',
  'bounds',
  'load',
  'baseline',
  'verdict',
  'receipt',
] as const;
export type ReceiptCheck = (typeof RECEIPT_CHECKS)[number];

/** Something in a receipt that is not what it has to be. */
export type ReceiptFinding = { readonly check: ReceiptCheck; readonly where: string; readonly detail: string };

export const finding = (check: ReceiptCheck, where: string, detail: string): ReceiptFinding => ({
  check,
  where,
  detail,
});

/** Paths at which two JSON values differ, at most so many. */
export function differences(was: unknown, is: unknown, path = '', most = 12): readonly string[] {
  if (Object.is(was, is)) return [];
  const [left, right] = [fieldsOf(was), fieldsOf(is)];
  if (left === undefined || right === undefined) return [path === '' ? 'the whole' : path];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const found: string[] = [];
  for (const name of names) {
    if (found.length >= most) break;
    found.push(...differences(left[name], right[name], path === '' ? name : `${path}.${name}`, most - found.length));
  }
  return found;
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  // Lists are compared by index, objects by name.
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
