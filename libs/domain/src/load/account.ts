import { type Window } from '../verdict/window.js';
import { type Money } from '../placement/limits.js';
import { type LoadOutcome, type LoadSample } from './sample.js';

/** What the driver saw of one request. */
export type SentRequest = Omit<LoadSample, 'latencyMs'> & {
  /** When the answer ended; null when none came. */
  readonly answeredAtMs: number | null;
};

/**
 * The latency counts from when the request was due, not from when it was sent: a server that stalls the driver does not hide
 * what those who came meanwhile had to wait ("coordinated omission", Tene 2013, https://github.com/giltene/wrk2).
 */
export function sampleOf({ answeredAtMs, ...request }: SentRequest): LoadSample {
  const isAnswered = request.outcome === 'ok' && answeredAtMs !== null;
  return { ...request, latencyMs: isAnswered ? Math.max(0, answeredAtMs - request.scheduledAtMs) : null };
}

export type Quantiles = { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null };

export type StepSummary = {
  readonly due: number;
  readonly outcomes: Readonly<Record<LoadOutcome, number>>;
  /** Of all that were due; null where the quantile falls among those that got no answer. */
  readonly latencyMs: Quantiles;
  /** Of those whose wait was measured; how many that are stands beside it. */
  readonly queueMs: Quantiles;
  readonly queueMeasured: number;
  /** How late requests were sent, at most: the driver's own delay, which latency contains. */
  readonly mostSendDelayMs: number;
};

/** What one step of a profile came to. */
export function summarise(samples: readonly LoadSample[]): StepSummary {
  const outcomes: Record<LoadOutcome, number> = { ok: 0, error: 0, timeout: 0, rejected: 0, lost: 0 };
  for (const { outcome } of samples) outcomes[outcome] += 1;
  const queue = samples.flatMap(({ queueMs }) => (queueMs === null ? [] : [queueMs]));
  return {
    due: samples.length,
    outcomes,
    latencyMs: quantilesOf(samples.map(({ latencyMs }) => latencyMs ?? Infinity)),
    queueMs: quantilesOf(queue),
    queueMeasured: queue.length,
    mostSendDelayMs: samples.reduce((most, { sentAtMs, scheduledAtMs }) => Math.max(most, sentAtMs - scheduledAtMs), 0),
  };
}

/** By nearest rank. */
function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number | null => {
    const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    return value !== undefined && Number.isFinite(value) ? value : null;
  };
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** The figures of one window; `errors` of any kind together. */
export type WindowFigures = { readonly sent: number; readonly ok: number; readonly errors: number } & {
  readonly latencyMs: Quantiles;
  readonly queueMs: Quantiles;
};

/** The same from a window that `samplesToWindows` made. Waits are of the requests that were answered. */
export function windowFigures({ requests, ok, errors, latencies, queueMs }: Window): WindowFigures | undefined {
  // Sketches and windows that were not counted are not of the driver.
  if (requests === null || ok === null || errors === null || latencies === null || !isList(latencies)) return undefined;
  const unanswered = Array.from({ length: requests - latencies.length }, () => Infinity);
  return {
    ...{ sent: requests, ok, errors },
    latencyMs: quantilesOf([...latencies.map((ms) => ms ?? Infinity), ...unanswered]),
    queueMs: quantilesOf(queueMs.flatMap((ms) => (ms === null ? [] : [ms]))),
  };
}

const isList = (latencies: NonNullable<Window['latencies']>): latencies is readonly (number | null)[] =>
  Array.isArray(latencies);

export type WindowSpan = { readonly fromMs: number; readonly toMs: number; readonly windowMs: number };

/**
 * Samples as the windows of a verdict, by when they were due. A window in which nothing was due is one without traffic.
 * Whoever knows the workers and the spending of a window says so.
 */
export function samplesToWindows(
  samples: readonly LoadSample[],
  { fromMs, toMs, windowMs }: WindowSpan,
  known: (windowFromMs: number) => { workers: Readonly<Record<string, number>>; spend: Money | null },
): readonly Window[] {
  const count = Math.floor((toMs - fromMs) / windowMs);
  const held: LoadSample[][] = Array.from({ length: count }, () => []);
  for (const sample of samples) held[Math.floor((sample.scheduledAtMs - fromMs) / windowMs)]?.push(sample);
  return held.map((inside, index) => {
    const beginMs = fromMs + index * windowMs;
    const ok = inside.filter(({ outcome }) => outcome === 'ok');
    return {
      ...{ fromMs: beginMs, toMs: beginMs + windowMs },
      ...{ requests: inside.length, ok: ok.length, errors: inside.length - ok.length },
      latencies: ok.map(({ latencyMs }) => latencyMs),
      queueMs: ok.flatMap(({ queueMs }) => (queueMs === null ? [] : [queueMs])),
      ...known(beginMs),
    };
  });
}
