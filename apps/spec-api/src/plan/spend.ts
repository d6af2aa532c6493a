import type { Placement, PlanView, SpendLimits, StockSignal } from '@davit/contracts';
import { compareAmounts, describePlacement, instancePrice, multiplyAmount } from '@davit/domain';

export interface PricedRung {
  readonly rung: number;
  readonly placement: Placement;
  readonly signal: StockSignal | undefined;
}

export interface SpendInput {
  readonly rungs: readonly PricedRung[];
  /** Rung that would be taken now. */
  readonly chosen: number | null;
  readonly replicas: number;
  readonly budget: Pick<SpendLimits, 'maxHourly' | 'currency'> | null;
}

const DEFAULT_CURRENCY = 'USD';

/**
 * What the deployment would cost an hour: on the rung that would be taken now, and on the dearest rung it may end on. An
 * unknown price makes the worst case unknown (law 4), unless the rung has a ceiling of its own.
 */
export function spend({ rungs, chosen, replicas, budget }: SpendInput): {
  readonly spend: Omit<PlanView['spend'], 'failedStarts'>;
  readonly notes: readonly string[];
} {
  const currency = budget?.currency ?? rungs.find(({ signal }) => signal?.price)?.signal?.price?.currency;
  const foreign = rungs.filter(({ signal }) => signal?.price && signal.price.currency !== currency);
  const bounds = rungs
    .map((rung) => ({ rung, bound: upperBound(rung, currency) }))
    .filter(({ bound }) => bound === undefined || withinBudget(bound, replicas, budget));
  const unknown = bounds.filter(({ bound }) => bound === undefined);
  const chosenPrice = rungs.find(({ rung }) => rung === chosen);
  return {
    spend: {
      currency: currency ?? DEFAULT_CURRENCY,
      chosenHourly: times(chosenPrice && knownPrice(chosenPrice, currency), replicas),
      worstCaseHourly:
        replicas === 0
          ? '0'
          : unknown.length > 0
            ? null
            : times(dearest(bounds.flatMap(({ bound }) => bound ?? [])), replicas),
      ceilingHourly: budget?.maxHourly ?? null,
    },
    notes: [
      ...foreign.map(
        ({ placement, signal }) =>
          `${describePlacement(placement)} is priced in ${signal?.price?.currency ?? '?'}, which is not compared with ${currency ?? '?'}.`,
      ),
      ...unknown
        .filter(({ rung }) => !foreign.includes(rung))
        .map(
          ({ rung }) =>
            `The price of ${describePlacement(rung.placement)} is not known, so the worst case is not known.`,
        ),
    ],
  };
}

/** No replica is placed above its rung's ceiling, so a ceiling bounds what is not known. */
function upperBound(rung: PricedRung, currency: string | undefined): string | undefined {
  const price = knownPrice(rung, currency);
  const ceiling = rung.placement.maxHourlyPrice;
  if (price === undefined) return ceiling ?? undefined;
  return ceiling !== null && compareAmounts(ceiling, price) < 0 ? ceiling : price;
}

function knownPrice({ placement, signal }: PricedRung, currency: string | undefined): string | undefined {
  const price = signal?.price;
  return price?.currency === currency && price ? instancePrice(price, placement) : undefined;
}

function withinBudget(price: string, replicas: number, budget: SpendInput['budget']): boolean {
  return budget?.maxHourly === undefined || compareAmounts(multiplyAmount(price, replicas), budget.maxHourly) <= 0;
}

const dearest = (amounts: readonly string[]): string | undefined =>
  amounts.reduce<string | undefined>(
    (highest, amount) => (highest === undefined || compareAmounts(amount, highest) > 0 ? amount : highest),
    undefined,
  );

const times = (amount: string | undefined, replicas: number): string | null =>
  replicas === 0 ? '0' : amount === undefined ? null : multiplyAmount(amount, replicas);
