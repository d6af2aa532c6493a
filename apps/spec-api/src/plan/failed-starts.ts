import type { NormalisedDeployment } from '@davit/contracts';
import { divideAmount, maxFailedStartsOf, multiplyAmount, startTimesOf } from '@davit/domain';

const HOUR_MS = 3_600_000;
const DECIMALS = 2;

/**
 * What starts that fail may cost at most before each slot is given up: every one of them up to the cap of the start deadline,
 * at the dearest price. Null when that price is not known.
 */
export function failedStartsCost({ spec }: NormalisedDeployment, worstCaseHourly: string | null): string | null {
  if (worstCaseHourly === null) return null;
  const billedMs = maxFailedStartsOf(spec) * startTimesOf(spec).capMs;
  return divideAmount(multiplyAmount(worstCaseHourly, billedMs), HOUR_MS, DECIMALS);
}
