import type { Placement } from '@davit/contracts';

/** `runpod L40S:1 spot`. */
export function describePlacement({ cloud, region, accelerator, spot }: Placement): string {
  const card = accelerator ? `${accelerator.name}:${accelerator.count}` : 'cpu';
  return `${cloud}${region === null ? '' : ` ${region}`} ${card}${spot ? ' spot' : ''}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `4 s`, `12 min`, `3 h`, `5 days`: in the largest unit of which there are at least two. */
export function describeDuration(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / 1_000)} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`;
}

export const describeMoney = ({ amount, currency }: { readonly amount: string; readonly currency: string }): string =>
  `${amount} ${currency}`;
