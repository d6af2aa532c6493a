import type { HourlyPrice, Placement, ReplicaView } from '@davit/contracts';
import { wholeMachine } from '@davit/domain';

/** Decimal text without the zeros at its end that say nothing, at least two of them kept. */
export function amountText(amount: string): string {
  const [whole = '0', fraction = ''] = amount.split('.');
  return `${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** `0.79 USD quoted`: of the whole machine for an hour, and what kind of price that is. */
export function hourlyText(price: HourlyPrice, placement: Placement | null): string {
  const { amount, currency, unit, kind } = price;
  if (unit === 'gpu-hour' && placement === null) return `${amountText(amount)} ${currency} a card ${kind}`;
  return `${amountText(placement ? wholeMachine(price, placement) : amount)} ${currency} ${kind}`;
}

/** States in which nothing was rented yet. */
const UNRENTED: readonly string[] = ['requested', 'waiting'];

/** What a replica costs an hour; `unknown` where it may cost something and nobody said what, which is never zero. */
export function replicaPrice({ price, placement, state }: ReplicaView): string {
  if (price) return hourlyText(price, placement);
  return UNRENTED.includes(state) ? '–' : 'unknown';
}
