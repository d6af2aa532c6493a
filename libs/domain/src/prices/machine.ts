import type { HourlyPrice, Placement, PriceMarket } from '@davit/contracts';
import { multiplyAmount } from '../money.js';

type Machine = Pick<Placement, 'accelerator'>;

/** What one machine of a placement costs an hour, decimal, whether the price is for the machine or for each of its GPUs. */
export const wholeMachine = ({ amount, unit }: HourlyPrice, { accelerator }: Machine): string =>
  unit === 'gpu-hour' ? multiplyAmount(amount, accelerator?.count ?? 1) : amount;

/** The same price told for the whole machine. */
export const machinePrice = <Price extends HourlyPrice>(price: Price, placement: Machine): Price =>
  price.unit === 'instance-hour'
    ? price
    : { ...price, amount: wholeMachine(price, placement), unit: 'instance-hour' as const };

/** The market a machine of this placement is rented on. */
export const marketOf = ({ spot }: Pick<Placement, 'spot'>): PriceMarket => (spot ? 'spot' : 'on-demand');

/**
 * Why a price says nothing of a placement; null when it does. A price without a market is of an older version, which knew
 * on-demand prices only. A bid is what spot costs where machines are bid for.
 */
export function mismatchOf(price: HourlyPrice, placement: Pick<Placement, 'spot' | 'accelerator'>): string | null {
  const market = price.market ?? 'on-demand';
  const wanted = marketOf(placement);
  if (market !== wanted && !(market === 'bid' && wanted === 'spot')) {
    return `it is a price for ${market}, and the placement is ${wanted}`;
  }
  if (price.unit === 'gpu-hour' && placement.accelerator === null) {
    return 'it is a price for each GPU, and the placement has none';
  }
  return null;
}
