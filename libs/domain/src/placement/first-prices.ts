import type { EventData, HourlyPrice, Placement } from '@davit/contracts';
import type { DeploymentState } from '../lifecycle/state.js';
import { offerKeyOf } from './offer.js';

/** The price at which each revision was first placed on an offer, by revision and offer, since it was last declared. */
export type FirstPrices = Readonly<Record<string, HourlyPrice>>;

const nameOf = (revision: number, placement: Placement): string => `${revision}/${offerKeyOf(placement)}`;

/** What the user accepted to pay there, as far as it is known; declaring it again accepts another price. */
export const firstPriceOf = (
  { firstPrices }: Pick<DeploymentState, 'firstPrices'>,
  revision: number,
  placement: Placement,
): HourlyPrice | null => firstPrices[nameOf(revision, placement)] ?? null;

export function rememberFirstPrice(
  before: FirstPrices,
  revision: number,
  { placement, price, adopted }: EventData<'davit.replica.placed'>,
): FirstPrices {
  if (adopted || placement === null || price === null) return before;
  const name = nameOf(revision, placement);
  return name in before ? before : { ...before, [name]: price };
}
