import type { Placement } from '@davit/contracts';

/** `runpod L40S:1 spot`. */
export function describePlacement({ cloud, region, accelerator, spot }: Placement): string {
  const card = accelerator ? `${accelerator.name}:${accelerator.count}` : 'cpu';
  return [cloud, region, card, spot ? 'spot' : null].filter((part) => part !== null).join(' ');
}

const STEPS = [
  [24 * 60 * 60_000, 'days'],
  [60 * 60_000, 'h'],
  [60_000, 'min'],
] as const;

/** `4 s`, `12 min`, `3 h`, `5 days`: in the largest unit of which there are at least two. */
export function describeDuration(ms: number): string {
  const [unitMs, unit] = STEPS.find(([stepMs]) => ms >= 2 * stepMs) ?? [1_000, 's'];
  return `${Math.round(ms / unitMs)} ${unit}`;
}

export const describeMoney = ({ amount, currency }: { readonly amount: string; readonly currency: string }): string =>
  `${amount} ${currency}`;
