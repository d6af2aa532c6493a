import { addAmounts, compareAmounts, divideAmount, type Money, timesDecimal } from '@davit/domain';
import type { ChargeRow } from '../../vast/api/charges.js';
import type { Look } from './look.js';

const HOUR_MS = 3_600_000;
const DECIMALS = 9;
const CURRENCY = 'USD';

type Priced = Look & { readonly hourly: Money };

const isPriced = (look: Look): look is Priced => look.hourly !== null;

/**
 * What workers cost between two instants, by their price at each look. Between two looks the higher of both prices counts, so
 * that the sum errs upwards, and across looks that knew no price as well. Null where the looks that know one do not reach
 * over the whole time: an unknown price is not zero.
 */
export function spendBetween(looks: readonly Look[], fromMs: number, toMs: number): Money | null {
  const priced = looks.filter(isPriced);
  const [first, last] = [priced[0], priced.at(-1)];
  if (first === undefined || last === undefined || first.atMs > fromMs || last.atMs < toMs) return null;
  return { amount: sumOf(priced, fromMs, toMs), currency: CURRENCY };
}

/** As {@link spendBetween} up to now, at the last known price since it was last known; with the age of that knowledge. */
export function spendSoFar(
  looks: readonly Look[],
  fromMs: number,
  nowMs: number,
): { readonly spend: Money | null; readonly ageMs: number } {
  const priced = looks.filter(isPriced);
  const [first, last] = [priced[0], priced.at(-1)];
  if (first === undefined || last === undefined) return { spend: null, ageMs: nowMs - fromMs };
  // Before the first look the price was that of the first look.
  const extended = [{ ...first, atMs: Math.min(first.atMs, fromMs) }, ...priced, { ...last, atMs: nowMs }];
  return { spend: { amount: sumOf(extended, fromMs, nowMs), currency: CURRENCY }, ageMs: nowMs - last.atMs };
}

function sumOf(looks: readonly Priced[], fromMs: number, toMs: number): string {
  let amountMs = '0';
  looks.slice(1).forEach((later, index) => {
    const earlier = looks[index] ?? later;
    const ms = Math.min(later.atMs, toMs) - Math.max(earlier.atMs, fromMs);
    if (ms <= 0) return;
    const [a, b] = [earlier.hourly.amount, later.hourly.amount];
    amountMs = addAmounts(amountMs, timesDecimal(compareAmounts(a, b) > 0 ? a : b, String(Math.round(ms))));
  });
  return divideAmount(amountMs, HOUR_MS, DECIMALS);
}

/**
 * What the provider charged an endpoint, from the rows of some time; null while one of its rows has no amount, or one is a
 * credit. Charges lag by hours, so a sum of none is no proof that nothing is owed, and is null as well.
 */
export function chargedTo(rows: readonly ChargeRow[], endpointId: number): Money | null {
  const own = rows.filter(
    ({ metadata, source }) => metadata?.endpoint_id === endpointId || source === `endpoint-${endpointId}`,
  );
  let amount = '0';
  for (const row of own) {
    if (row.amount === null || row.amount === undefined || row.amount.startsWith('-')) return null;
    amount = addAmounts(amount, row.amount);
  }
  return own.length === 0 ? null : { amount, currency: CURRENCY };
}
