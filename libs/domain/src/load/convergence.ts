import { compareAmounts, divideDecimal, timesDecimal } from '../money.js';
import { type Money } from '../placement/limits.js';

/** One ramp as it went. */
export type RampRecord = {
  readonly ramp: number;
  /** Workers that served in it, each with what it was measured to do and what it costs; null: not known. */
  readonly workers: readonly {
    readonly workerId: string;
    readonly gpu: string;
    readonly perf: number | null;
    readonly hourly: Money | null;
  }[];
  readonly peakWorkers: number;
  /** Workers that were given up or replaced in it. */
  readonly rotated: readonly string[];
  /** 95th percentile of the queue time at the peak, milliseconds; null: not measured. */
  readonly queueP95AtPeakMs: number | null;
};

export type Criterion = {
  readonly name: 'gpu-classes' | 'perf-per-price' | 'peak-workers' | 'rotation' | 'queue-time';
  readonly outcome: 'met' | 'missed' | 'unknown';
  readonly detail: string;
};

export type Convergence = { readonly converged: boolean; readonly criteria: readonly Criterion[] };

/** What may move between two ramps: a tenth, and one worker. */
const LEAST_FACTOR = '0.9';
const MOST_FACTOR = '1.1';
const MOST_WORKERS_MOVE = 1;
const DECIMALS = 9;

/**
 * Whether the provider's engine has settled: over the last two ramps the kinds of GPU stay and the median of performance per price
 * moves by less than a tenth, the number of workers at the peak repeats within one, nobody was replaced in the last, and the queue
 * time at the peak is below its target. The provider reports nothing of the kind, so it is told by what it does. What is
 * not known is not met.
 */
export function convergenceOf(ramps: readonly RampRecord[], targetQueueMs: number): Convergence {
  const sorted = [...ramps].sort((a, b) => a.ramp - b.ramp);
  const [before, last] = [sorted.at(-2), sorted.at(-1)];
  if (before === undefined || last === undefined) {
    return { converged: false, criteria: [told('peak-workers', 'unknown', 'two ramps are needed to compare')] };
  }
  const criteria = [
    classes(before, last),
    perfPerPrice(before, last),
    peakWorkers(before, last),
    told(
      'rotation',
      last.rotated.length === 0 ? 'met' : 'missed',
      `${last.rotated.length} workers replaced in the last ramp`,
    ),
    queueTime(last, targetQueueMs),
  ];
  return { converged: criteria.every(({ outcome }) => outcome === 'met'), criteria };
}

const told = (name: Criterion['name'], outcome: Criterion['outcome'], detail: string): Criterion => ({
  name,
  outcome,
  detail,
});

const kindsOf = ({ workers }: RampRecord): string => [...new Set(workers.map(({ gpu }) => gpu))].sort().join(', ');

function classes(before: RampRecord, last: RampRecord): Criterion {
  const [was, is] = [kindsOf(before), kindsOf(last)];
  if (was === '' || is === '') return told('gpu-classes', 'unknown', 'a ramp without workers');
  return told('gpu-classes', was === is ? 'met' : 'missed', was === is ? `${is} in both` : `${is} after ${was}`);
}

/** Load units a second for one unit of money an hour, as decimal text; undefined where one worker is not known. */
function medianValue({ workers }: RampRecord): string | undefined {
  const values = workers.map(({ perf, hourly }) =>
    perf === null || !Number.isFinite(perf) || perf <= 0 || hourly === null || compareAmounts(hourly.amount, '0') === 0
      ? undefined
      : divideDecimal(perf.toFixed(DECIMALS), hourly.amount, DECIMALS),
  );
  const known = values.flatMap((value) => (value === undefined ? [] : [value])).sort(compareAmounts);
  if (known.length === 0 || known.length < values.length) return undefined;
  return known[Math.ceil(known.length / 2) - 1];
}

function perfPerPrice(before: RampRecord, last: RampRecord): Criterion {
  const currencies = new Set([...before.workers, ...last.workers].map(({ hourly }) => hourly?.currency));
  const [was, is] = [medianValue(before), medianValue(last)];
  if (was === undefined || is === undefined || currencies.size > 1) {
    return told('perf-per-price', 'unknown', 'the performance or the price of a worker is not known');
  }
  const isStill =
    compareAmounts(is, timesDecimal(was, LEAST_FACTOR)) > 0 && compareAmounts(is, timesDecimal(was, MOST_FACTOR)) < 0;
  const detail = `the median is ${divideDecimal(is, was, 3)} of the one before, more than ${LEAST_FACTOR} and less than ${MOST_FACTOR} is needed`;
  return told('perf-per-price', isStill ? 'met' : 'missed', detail);
}

function peakWorkers(before: RampRecord, last: RampRecord): Criterion {
  const isSame = Math.abs(before.peakWorkers - last.peakWorkers) <= MOST_WORKERS_MOVE;
  return told('peak-workers', isSame ? 'met' : 'missed', `${last.peakWorkers} at the peak after ${before.peakWorkers}`);
}

function queueTime({ queueP95AtPeakMs }: RampRecord, targetQueueMs: number): Criterion {
  if (queueP95AtPeakMs === null || !Number.isFinite(queueP95AtPeakMs)) {
    return told('queue-time', 'unknown', 'the queue time at the peak was not measured');
  }
  const [is, most] = [queueP95AtPeakMs, targetQueueMs].map((ms) => Number(ms.toFixed(1)));
  const detail = `${is} ms at the peak, less than ${most} ms is needed`;
  return told('queue-time', queueP95AtPeakMs < targetQueueMs ? 'met' : 'missed', detail);
}
