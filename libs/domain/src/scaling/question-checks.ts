import { type ScalingConflict } from './bounds.js';
import { type ScalingQuestion } from './question.js';

/** What is wrong with a question itself: nothing can be reckoned from it. */
export function questionConflicts(question: ScalingQuestion): readonly ScalingConflict[] {
  const { worker, load, objectives, targetUtil, coldMult, declared } = question;
  const { budgetHourly } = question;
  const positive = {
    'worker.perf': worker.perf,
    'worker.parallelRequests': worker.parallelRequests,
    'worker.serviceP95Ms': worker.serviceP95Ms,
    'worker.loadTimeS': worker.loadTimeS,
    'load.requestsPerSecond': load.requestsPerSecond,
    'load.costPerRequest': load.costPerRequest,
    ...('concurrency' in objectives && objectives.concurrency !== undefined
      ? { concurrency: objectives.concurrency }
      : {}),
  };
  const currencies = [worker.hourly, budgetHourly, ...(objectives.maxHourly ? [objectives.maxHourly] : [])];
  return [
    ...Object.entries(positive).flatMap(([name, value]) =>
      value > 0 && Number.isFinite(value)
        ? []
        : [refusal(name, 'evidence', `${name} was not measured`, { [name]: value })],
    ),
    ...(load.peakFactor >= 1 ? [] : [refusal('load.peakFactor', 'range', 'a peak is no less than what is expected')]),
    ...(targetUtil > 0 && targetUtil <= 1 ? [] : [refusal('target_util', 'range', 'lies above 0 and at most at 1')]),
    ...(coldMult >= 1 ? [] : [refusal('cold_mult', 'range', 'is at least 1')]),
    ...(currencies.every(({ currency }) => currency === budgetHourly.currency)
      ? []
      : [refusal('price of a worker', 'budget.maxHourly', 'prices and budgets are of different currencies')]),
    ...twoNames(declared),
  ];
}

/** `min_workers` and `cold_workers` name one field; the second is the one that is sent. */
function twoNames(declared: ScalingQuestion['declared']): readonly ScalingConflict[] {
  const { minWorkers, coldWorkers } = declared ?? {};
  if (minWorkers === undefined || coldWorkers === undefined || minWorkers === coldWorkers) return [];
  const detail = `they are one field by two names, and say ${minWorkers} and ${coldWorkers}`;
  return [refusal('min_workers', 'cold_workers', detail, { minWorkers, coldWorkers })];
}

const refusal = (
  objective: string,
  against: string,
  detail: string,
  figures: ScalingConflict['figures'] = {},
): ScalingConflict => ({ objective, against, detail, figures });
