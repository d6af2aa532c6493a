import { compareAmounts, multiplyAmount } from '../money.js';
import { type Money } from '../placement/limits.js';
import { type Bounds, type ScalingConflict } from './bounds.js';

export type BoundsContext = {
  readonly perf: number;
  /** The dearest a worker may be; null: not known, which no budget can be held against. */
  readonly workerHourly: Money | null;
  readonly budgetHourly: Money;
  /** Workers that what is expected needs; absent: not known. */
  readonly neededWorkers?: number;
};

type Check = readonly [holds: boolean, conflict: ScalingConflict];

/**
 * What stands against writing these bounds, whoever made them. The provider checks none of it.
 * One worker that is both the least and the most is created and destroyed in turn, as a user reported.
 */
export function boundsConflicts(bounds: Bounds, context: BoundsContext): readonly ScalingConflict[] {
  return [...shapeChecks(bounds), ...capacityChecks(bounds, context), moneyCheck(bounds, context)].flatMap(
    ([holds, conflict]) => (holds ? [] : [conflict]),
  );
}

const check = (
  holds: boolean,
  objective: string,
  against: string,
  detail: string,
  figures: ScalingConflict['figures'],
): Check => [holds, { objective, against, detail, figures }];

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function shapeChecks(bounds: Bounds): readonly Check[] {
  const { minLoad, coldWorkers, maxWorkers, targetQueueTimeS, maxQueueTimeS, targetUtil, coldMult, minColdLoad } =
    bounds;
  const finite = [minLoad, targetQueueTimeS, maxQueueTimeS, bounds.inactivityTimeoutS, minColdLoad].every(
    Number.isFinite,
  );
  const figures = { coldWorkers, maxWorkers };
  return [
    check(
      finite && minLoad >= 0 && minColdLoad >= 0,
      'min_load',
      'range',
      'loads and times are finite numbers, loads at least 0',
      { minLoad, minColdLoad },
    ),
    check(isWhole(coldWorkers) && isWhole(maxWorkers), 'workers', 'range', 'workers are whole numbers', figures),
    check(maxWorkers > 0, 'max_workers', 'range', 'max_workers is more than 0', figures),
    check(
      coldWorkers <= maxWorkers,
      'cold_workers',
      'max_workers',
      `${coldWorkers} cold workers are more than ${maxWorkers} in all`,
      figures,
    ),
    check(
      !(coldWorkers === 1 && maxWorkers === 1),
      'cold_workers',
      'max_workers',
      'one worker as both the least and the most is created and destroyed in turn',
      figures,
    ),
    check(targetUtil > 0 && targetUtil <= 1, 'target_util', 'range', 'target_util lies above 0 and at most at 1', {
      targetUtil,
    }),
    check(coldMult >= 1 && Number.isFinite(coldMult), 'cold_mult', 'range', 'cold_mult is at least 1', { coldMult }),
    check(maxQueueTimeS > 0 && targetQueueTimeS > 0, 'max_queue_time', 'range', 'queue times are more than 0', {
      targetQueueTimeS,
      maxQueueTimeS,
    }),
    check(targetQueueTimeS <= maxQueueTimeS, 'target_queue_time', 'max_queue_time', 'the target is at most the limit', {
      targetQueueTimeS,
      maxQueueTimeS,
    }),
  ];
}

function capacityChecks(bounds: Bounds, { perf, neededWorkers }: BoundsContext): readonly Check[] {
  const { minLoad, targetUtil, maxWorkers, coldWorkers } = bounds;
  const [floor, most] = [minLoad / targetUtil, maxWorkers * perf];
  const needed = Math.max(neededWorkers ?? 0, coldWorkers);
  return [
    check(floor <= most, 'min_load', 'max_workers', `a load of ${floor} needs more than ${maxWorkers} workers give`, {
      minLoad,
      targetUtil,
      maxWorkers,
      perf,
    }),
    check(
      maxWorkers > needed,
      'room to grow during a rollout',
      'max_workers',
      `${needed} workers are needed, and max_workers leaves none beside them`,
      { needed, maxWorkers },
    ),
  ];
}

function moneyCheck({ maxWorkers }: Bounds, { workerHourly, budgetHourly }: BoundsContext): Check {
  const figures = { maxWorkers, worker: workerHourly?.amount ?? 'unknown', budget: budgetHourly.amount };
  const named = (holds: boolean, detail: string): Check =>
    check(holds, 'max_workers', 'budget.maxHourly', detail, figures);
  if (workerHourly === null) return named(false, 'the price of a worker is not known');
  if (workerHourly.currency !== budgetHourly.currency)
    return named(
      false,
      `a price in ${workerHourly.currency} cannot be held against a budget in ${budgetHourly.currency}`,
    );
  const worst = isWhole(maxWorkers) ? multiplyAmount(workerHourly.amount, maxWorkers) : undefined;
  if (worst === undefined) return named(false, 'max_workers is no whole number');
  return named(
    compareAmounts(worst, budgetHourly.amount) <= 0,
    `${maxWorkers} workers may cost ${worst} an hour, the budget is ${budgetHourly.amount}`,
  );
}
