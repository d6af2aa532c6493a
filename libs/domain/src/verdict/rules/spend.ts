import { addAmounts, compareAmounts, divideAmount, multiplyAmount } from '../../money.js';
import { type VerdictReason } from '../bundle.js';
import { type Evidence } from '../evidence/evidence.js';
import { type Look } from '../evidence/look.js';
import { percent, reason } from './reason.js';

const HOUR_MS = 3_600_000;
const DECIMALS = 6;

/** Whether what was spent keeps the promise per hour. Money is exact: there is nothing to estimate, and nothing to guess. */
export function spendReasons({ bundle }: Evidence, { windows, elapsedMs }: Look): readonly VerdictReason[] {
  const { maxHourly } = bundle.objectives;
  if (maxHourly === undefined) return [];
  const { minCoverage, minDurationMs } = bundle.policy;
  const known = windows.flatMap(({ fromMs, toMs, spend }) =>
    spend !== null && spend.currency === maxHourly.currency ? [{ amount: spend.amount, lengthMs: toMs - fromMs }] : [],
  );
  const knownMs = known.reduce((sum, { lengthMs }) => sum + lengthMs, 0);
  const total = known.reduce((sum, { amount }) => addAmounts(sum, amount), '0');
  const coverage = elapsedMs > 0 ? knownMs / elapsedMs : 0;
  if (knownMs === 0) return [reason('spend-objective', 'open', `what was spent is not known in ${maxHourly.currency}`)];
  const perHour = divideAmount(multiplyAmount(total, HOUR_MS), Math.round(knownMs), DECIMALS);
  const figures = { perHour, maxHourly: maxHourly.amount, currency: maxHourly.currency, spent: total, coverage };
  const said = `${perHour} ${maxHourly.currency} an hour, ${maxHourly.amount} may be spent`;
  if (elapsedMs < minDurationMs) return [reason('spend-objective', 'open', `${said}: too early to say`, figures)];
  if (compareAmounts(perHour, maxHourly.amount) > 0) return [reason('spend-objective', 'broken', said, figures)];
  const isKnown = coverage >= minCoverage;
  const detail = isKnown ? said : `${said}: known of ${percent(coverage)} of the time`;
  return [reason('spend-objective', isKnown ? 'met' : 'open', detail, figures)];
}
