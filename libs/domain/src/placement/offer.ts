import type { Placement } from '@davit/contracts';

/** What can be had at a provider: a placement without what only its user says of it. */
export type Offer = Omit<Placement, 'maxHourlyPrice'>;

/** `runpod:*:L40S:1`, `vast:US:RTX4090:2:spot`: one name for all who speak of the same offer. */
export function offerKeyOf({ cloud, region, accelerator, spot }: Offer): string {
  const card = accelerator ? `${accelerator.name}:${accelerator.count}` : 'cpu';
  return `${cloud}:${region ?? '*'}:${card}${spot ? ':spot' : ''}`;
}
