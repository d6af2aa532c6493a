import type { Placement } from '@davit/contracts';
import { type Query, oneOf, single } from '../queries/parameters.js';

export const OFFER_PARAMETERS = ['cloud', 'accelerator', 'region', 'spot'] as const;

export type OfferFilter = (offer: Omit<Placement, 'maxHourlyPrice'>) => boolean;

/** Which offers are asked for. `accelerator` is a name, with or without a count: `L40S`, `L40S:2`. */
export function offerFilter(query: Query): OfferFilter {
  const cloud = single(query, 'cloud');
  const accelerator = single(query, 'accelerator');
  const region = single(query, 'region');
  const spot = oneOf(query, 'spot', ['true', 'false']);
  return (offer) =>
    (cloud === undefined || offer.cloud === cloud) &&
    (region === undefined || offer.region === region) &&
    (spot === undefined || offer.spot === (spot === 'true')) &&
    (accelerator === undefined || namesOf(offer.accelerator).includes(accelerator.toLowerCase()));
}

const namesOf = (accelerator: Placement['accelerator']): readonly string[] => {
  if (accelerator === null) return ['cpu'];
  const name = accelerator.name.toLowerCase();
  return [name, `${name}:${accelerator.count}`];
};
