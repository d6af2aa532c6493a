import type { HourlyPrice } from '@davit/contracts';
import { addAmounts, compareAmounts } from '@davit/domain/money';

const SIGNS: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' };

/** `$1.58`, `12.00 CHF`; two decimals, or as many more as the amount needs to be more than nothing. */
export function moneyText(amount: string, currency: string): string {
  const text = rounded(amount);
  const sign = SIGNS[currency];
  return sign === undefined ? `${text} ${currency}` : `${sign}${text}`;
}

/** Cut to cents, half up, by its digits; an amount below a cent keeps its first two digits. */
function rounded(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  if (/^0*$/.test(whole) && /^00[0-9]*[1-9]/.test(decimals)) {
    return `0.${decimals.slice(0, decimals.search(/[1-9]/) + 2)}`;
  }
  const cents = BigInt(whole + decimals.slice(0, 2).padEnd(2, '0')) + (/^..[5-9]/.test(decimals) ? 1n : 0n);
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ' ')}.${digits.slice(-2)}`;
}

/** Sums by currency; amounts of two currencies are never added. */
export function addTo(sums: Map<string, string>, amount: string, currency: string): void {
  sums.set(currency, addAmounts(sums.get(currency) ?? '0', amount));
}

/** `$3.16`, `$3.16 + €1.00`; `$0.00` for nothing at all. */
export function sumsText(sums: ReadonlyMap<string, string>): string {
  if (sums.size === 0) return '$0.00';
  return [...sums].map(([currency, amount]) => moneyText(amount, currency)).join(' + ');
}

/** `$1.58`, `$0.86 a GPU`: an hour, of a machine unless it says otherwise. */
export const hourlyText = ({ amount, currency, unit }: Pick<HourlyPrice, 'amount' | 'currency' | 'unit'>): string =>
  `${moneyText(amount, currency)}${unit === 'gpu-hour' ? ' a GPU' : ''}`;

export { addAmounts, compareAmounts };
