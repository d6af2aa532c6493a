import { type Money, type Window } from '@davit/domain';
import { type Random } from '@davit/ports';

/** How one side serves: what is drawn for each of its windows. */
export type Service = {
  readonly requestsPerSecond: number;
  readonly medianMs: number;
  /** Of the logarithm of latency, between requests. */
  readonly sigma: number;
  /** Of the logarithm of latency, between windows: what all requests of a minute share. */
  readonly windowSigma: number;
  readonly errorRate: number;
  readonly queueMedianMs: number;
};

/** What is different in a window that begins so many milliseconds after the start. */
export type Effect = (elapsedMs: number) => {
  readonly slower?: number;
  /** Factor on the slowest tenth alone. */
  readonly tailSlower?: number;
  readonly moreErrors?: number;
  readonly longerQueue?: number;
};

export const WINDOW_MS = 60_000;
/** Bound once, since they are used for every single request. */
const { cos, exp, log, max, PI, round, sqrt } = Math;
const QUEUE_SIGMA = 0.5;
/** The logarithm of a window carries so much of the one before. */
const MEMORY = 0.7;
/** A standard normal is beyond this in one case of ten. */
const TAIL = 1.2816;

/** A standard normal number (Box, Muller 1958). */
export const normal = (random: Random): number => sqrt(-2 * log(1 - random.next())) * cos(2 * PI * random.next());

/** How many come in an interval, when `mean` do on average: Poisson, by its normal limit where that is close. */
export function poisson(random: Random, mean: number): number {
  if (mean > 60) return max(0, round(mean + sqrt(mean) * normal(random)));
  let [count, product] = [0, random.next()];
  for (const least = exp(-mean); product > least; count++) product *= random.next();
  return count;
}

/** Consecutive windows of one side. */
export function windowsOf(
  random: Random,
  service: Service,
  span: { readonly fromMs: number; readonly count: number; readonly spend?: Money },
  effect: Effect = () => ({}),
): readonly Window[] {
  let shared = service.windowSigma * normal(random);
  return Array.from({ length: span.count }, (_, index) => {
    shared = MEMORY * shared + sqrt(1 - MEMORY ** 2) * service.windowSigma * normal(random);
    return windowOf(
      random,
      service,
      { fromMs: span.fromMs + index * WINDOW_MS, shared, spend: span.spend ?? null },
      {
        slower: 1,
        tailSlower: 1,
        moreErrors: 0,
        longerQueue: 1,
        ...effect(index * WINDOW_MS),
      },
    );
  });
}

function windowOf(
  random: Random,
  service: Service,
  at: { readonly fromMs: number; readonly shared: number; readonly spend: Money | null },
  effect: Required<ReturnType<Effect>>,
): Window {
  const requests = poisson(random, (service.requestsPerSecond * WINDOW_MS) / 1_000);
  const latencies: number[] = [];
  const queueMs: number[] = [];
  for (let request = 0; request < requests; request++) {
    if (random.next() < service.errorRate + effect.moreErrors) continue;
    const z = normal(random);
    const factor = effect.slower * (z > TAIL ? effect.tailSlower : 1);
    latencies.push(round(service.medianMs * factor * exp(service.sigma * z + at.shared)));
    queueMs.push(round(service.queueMedianMs * effect.longerQueue * exp(QUEUE_SIGMA * normal(random))));
  }
  return {
    fromMs: at.fromMs,
    toMs: at.fromMs + WINDOW_MS,
    requests,
    ok: latencies.length,
    errors: requests - latencies.length,
    latencies,
    queueMs,
    workers: { idle: 2 },
    spend: at.spend,
  };
}
