import type { DeletionPlan } from '@davit/contracts';
import { addTo, hourlyText, sumsText } from '../../format/money.js';
import { clockText } from '../../format/time.js';

type Going = DeletionPlan['replicas'][number];

const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

/** What becomes of the targets of an alias: `2 targets are withdrawn; nothing serves it then`. */
export function withdrawalText({ withdrawn, left }: DeletionPlan['routes'][number]): string {
  const going = `${counted(withdrawn.length, 'target')} ${withdrawn.length === 1 ? 'is' : 'are'} withdrawn`;
  return left === 0 ? `${going}; nothing serves it then` : `${going}; ${left} of other deployments stay`;
}

/** What becomes of a replica: `drained of 3 requests until 14:03:20, then deleted`. */
export function fateText({ step, drainUntil, running, keepsRunning }: Going): string {
  const end = keepsRunning ? 'let go, keeps running' : 'deleted';
  if (step === 'leaving') return 'on its way out already';
  if (step === 'delete') return end;
  const requests = running === null ? 'requests, how many is not known,' : counted(running, 'request');
  const until = drainUntil === null ? 'its deadline' : clockText(new Date(drainUntil));
  return `drained of ${requests} until ${until}, then ${end}`;
}

/** What a replica costs until it is proven gone: an unknown price is not nothing. */
export function priceText({ price, billing }: Going): string {
  if (price !== null) return hourlyText(price);
  return billing ? 'unknown' : '–';
}

/** `$3.16 an hour, and 1 machine at an unknown price`, `nothing`. */
export function billsText({ hourly, unpriced }: DeletionPlan['billing']): string {
  const sums = new Map<string, string>();
  for (const { amount, currency } of hourly) addTo(sums, amount, currency);
  const known = sums.size === 0 ? [] : [`${sumsText(sums)} an hour`];
  const unknown = unpriced === 0 ? [] : [`${counted(unpriced, 'machine')} at an unknown price`];
  return [...known, ...unknown].join(', and ') || 'nothing';
}
