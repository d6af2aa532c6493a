import { type VerdictPolicy, type Window } from '@davit/domain';
import { type Random } from '@davit/ports';
import { type Effect } from './course.js';
import { type Plan, type Sides } from './plan.js';

const between = (random: Random, low: number, high: number): number => low + (high - low) * random.next();
const oneOf = <T>(random: Random, ...choices: readonly [T, ...T[]]): T =>
  choices[Math.floor(random.next() * choices.length)] ?? choices[0];

const quiet = (random: Random): Plan['noise'] => ({ sigma: between(random, 0.2, 0.45), windowSigma: 0.02 });
const asIs = (sides: Sides): Sides => sides;

/** Clearly beyond what is tolerated, one way or another. */
const harm = (random: Random): ReturnType<Effect> =>
  oneOf(
    random,
    { slower: between(random, 1.5, 3) },
    { tailSlower: between(random, 2, 4) },
    { moreErrors: between(random, 0.03, 0.25) },
    { slower: between(random, 1.4, 2), moreErrors: between(random, 0.02, 0.1) },
  );

/** So much of a harm, from 0 to 1. */
const part = ({ slower = 1, tailSlower = 1, moreErrors = 0 }: ReturnType<Effect>, share: number) => ({
  slower: 1 + (slower - 1) * share,
  tailSlower: 1 + (tailSlower - 1) * share,
  moreErrors: moreErrors * share,
});

const healthy = (random: Random): Omit<Plan, 'label'> => ({
  noise: quiet(random),
  service: {},
  effect: () => ({}),
  spoil: asIs,
});

type Maker = (random: Random, policy: VerdictPolicy) => Plan;

const good: Maker = (random) => {
  const slower = between(random, 0.75, 1.02);
  return { ...healthy(random), label: 'accept', effect: () => ({ slower }) };
};

const noisyButEqual: Maker = (random) => ({
  ...healthy(random),
  label: 'accept',
  noise: { sigma: between(random, 0.5, 0.8), windowSigma: between(random, 0.02, 0.06) },
  service: { requestsPerSecond: between(random, 5, 10) },
});

const bad: Maker = (random) => {
  const effect = harm(random);
  return { ...healthy(random), label: 'not-accept', effect: () => effect };
};

/** Grows from nothing until the earliest instant of an accept, and stays. */
const slowRegression: Maker = (random, { minDurationMs }) => {
  const worst = harm(random);
  return {
    ...healthy(random),
    label: 'not-accept',
    effect: (elapsedMs) => part(worst, Math.min(1, elapsedMs / minDurationMs)),
  };
};

/** As good as the baseline until shortly before the earliest instant of an accept. */
const lateRegression: Maker = (random, { minDurationMs }) => {
  const worst = harm(random);
  const fromMs = between(random, 0.5, 0.85) * minDurationMs;
  return { ...healthy(random), label: 'not-accept', effect: (elapsedMs) => (elapsedMs < fromMs ? {} : worst) };
};

/** So little that nothing can be known, whatever the candidate is like. */
const lowTraffic: Maker = (random, { deadlineMs }) => {
  const requests = between(random, 0, 250);
  return {
    ...healthy(random),
    label: 'not-accept',
    effect: oneOf(
      random,
      () => ({}),
      () => ({ slower: 0.8 }),
      () => ({ slower: 2 }),
    ),
    spoil: ({ baseline, candidate }) => ({
      baseline,
      candidate: candidate.map((window) => window && thinned(random, window, (requests * 60_000) / deadlineMs)),
    }),
  };
};

/** A window with about so many of its requests. */
function thinned(random: Random, window: Window, mean: number): Window {
  const count = Math.floor(mean) + (random.next() < mean % 1 ? 1 : 0);
  const latencies = Array.isArray(window.latencies) ? (window.latencies as number[]).slice(0, count) : [];
  const requests = latencies.length;
  return { ...window, requests, ok: requests, errors: 0, latencies, queueMs: window.queueMs.slice(0, requests) };
}

/** What is spoilt again and again for the whole of the time, so that it never comes to be covered. */
const spoilt =
  (random: Random, share: number, spoil: (window: Window) => Window | null) =>
  (sides: Sides): Sides => ({
    ...sides,
    candidate: sides.candidate.map((window) => (window !== null && random.next() < share ? spoil(window) : window)),
  });

const nan: Maker = (random) => {
  const spoil = oneOf<(window: Window) => Window | null>(
    random,
    (window) => ({ ...window, errors: Number.NaN }),
    (window) => ({ ...window, requests: null }),
    (window) => ({ ...window, latencies: null }),
    (window) => ({
      ...window,
      latencies: Array.isArray(window.latencies) ? window.latencies.map(() => Number.NaN) : null,
    }),
    (window) => ({ ...window, ok: Number.NaN, latencies: [] }),
  );
  return { ...healthy(random), label: 'not-accept', spoil: spoilt(random, between(random, 0.3, 1), spoil) };
};

const gaps: Maker = (random) => ({
  ...healthy(random),
  label: 'not-accept',
  spoil: oneOf<Plan['spoil']>(
    random,
    spoilt(random, between(random, 0.3, 0.9), () => null),
    spoilt(random, between(random, 0.3, 0.9), (window) => ({
      ...window,
      requests: 0,
      ok: 0,
      errors: 0,
      latencies: [],
      queueMs: [],
    })),
    // What was seen until shortly before an accept was possible, and nothing since.
    ({ baseline, candidate }) => ({ baseline, candidate: candidate.slice(0, Math.floor(between(random, 10, 27))) }),
    ({ candidate }) => ({ baseline: [], candidate }),
  ),
});

export const KINDS = {
  good,
  bad,
  'slow-regression': slowRegression,
  'low-traffic': lowTraffic,
  nan,
  gaps,
  'late-regression': lateRegression,
  'noisy-but-equal': noisyButEqual,
} as const satisfies Record<string, Maker>;

export type Kind = keyof typeof KINDS;
