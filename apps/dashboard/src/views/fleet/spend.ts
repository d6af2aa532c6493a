import type { ReplicaView } from '@davit/contracts';
import { addTo, sumsText } from '../../format/money.js';
import { machineAmount } from '../../format/placement.js';
import { mayBill } from '../../words/states.js';

/** What machines cost an hour: all that may bill, until each is proven gone. */
export interface Spend {
  /** By currency. */
  readonly hourly: ReadonlyMap<string, string>;
  readonly machines: number;
  /** Machines of which nobody said a price: they come on top, and are never counted as free. */
  readonly unpriced: number;
}

type Billed = Pick<ReplicaView, 'state' | 'price' | 'placement'>;

export function spendOf(replicas: readonly Billed[]): Spend {
  const hourly = new Map<string, string>();
  let machines = 0;
  let unpriced = 0;
  for (const { state, price, placement } of replicas) {
    // What was adopted has neither placement nor price: it is not ours to pay for. A serverless endpoint has a price alone.
    if (!mayBill(state) || (placement === null && price === null)) continue;
    machines += 1;
    if (price === null) unpriced += 1;
    else addTo(hourly, machineAmount(price, placement), price.currency);
  }
  return { hourly, machines, unpriced };
}

export const spendText = ({ hourly, unpriced }: Spend): string =>
  unpriced === 0 ? sumsText(hourly) : `${sumsText(hourly)} + ${unpriced} unknown`;
