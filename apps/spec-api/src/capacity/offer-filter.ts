import type { Placement, QueryOf, operations } from '@davit/contracts';

export type OfferQuestion = QueryOf<typeof operations.listOffers>;
export type OfferFilter = (offer: Omit<Placement, 'maxHourlyPrice'>) => boolean;

/** Which offers are asked for. `accelerator` is a name, with or without a count: `L40S`, `L40S:2`. */
export const offerFilter =
  ({ cloud, accelerator, region, spot }: OfferQuestion): OfferFilter =>
  (offer) =>
    (cloud === undefined || offer.cloud === cloud) &&
    (region === undefined || offer.region === region) &&
    (spot === undefined || offer.spot === spot) &&
    (accelerator === undefined || namesOf(offer.accelerator).includes(accelerator.toLowerCase()));

const namesOf = (accelerator: Placement['accelerator']): readonly string[] => {
  if (accelerator === null) return ['cpu'];
  const name = accelerator.name.toLowerCase();
  return [name, `${name}:${accelerator.count}`];
};
