/** Something in an event that names a sum of money. */
export type Amount = {
  readonly path: string;
  readonly value: unknown;
  /** What stands beside it: its currency, unit, source and time, where it has any. */
  readonly beside: Readonly<Record<string, unknown>>;
};

/** Names of fields that hold money. A ceiling is a wish, and has neither source nor time of its own. */
const PRICE = 'amount';
const CEILINGS = new Set(['maxHourly', 'maxTotal', 'maxHourlyPrice']);
/** Lines for people, whose inputs have names of their own; what comes of them stands beside it. */
const ARITHMETIC = 'arithmetic';
const NONE: readonly Amount[] = [];

/** What was spent, or may be: a sum with a currency, which nobody quoted. */
export const isSum = ({ path }: Amount): boolean =>
  /(^|\.)(spend|maxSpend|worstCaseSpend|maxHourly)\.amount$/.test(path);
export const isPrice = (amount: Amount): boolean => amount.path.endsWith(PRICE) && !isSum(amount);

/** Every amount in the data of an event, wherever it stands. */
export function amountsIn(value: unknown, path = ''): readonly Amount[] {
  if (typeof value !== 'object' || value === null) return NONE;
  let found = NONE;
  const beside = value as Readonly<Record<string, unknown>>; // an array is read by its places
  for (const key of Object.keys(beside)) {
    if (key === ARITHMETIC) continue;
    const member = beside[key];
    const at = path === '' ? key : `${path}.${key}`;
    const isObject = typeof member === 'object' && member !== null;
    if ((key === PRICE || CEILINGS.has(key)) && !isObject) found = [...found, { path: at, value: member, beside }];
    else if (isObject) {
      const inside = amountsIn(member, at);
      if (inside.length > 0) found = found.length === 0 ? inside : [...found, ...inside];
    }
  }
  return found;
}
