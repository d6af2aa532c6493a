/** A stretch of a ramp at one rate. Times are milliseconds since the start of the profile. */
export type LoadStep = {
  /** 1 and up. */
  readonly ramp: number;
  readonly leg: 'up' | 'peak' | 'down';
  readonly requestsPerSecond: number;
  readonly fromMs: number;
  readonly toMs: number;
};

export type RampQuestion = {
  /** What is expected of the endpoint in use. */
  readonly expectedRequestsPerSecond: number;
  /** The peak as a multiple of it; 2 by the provider's advice. */
  readonly peakFactor: number;
  /** Steps from the first rate up to the one before the peak, and the same down. */
  readonly stepsPerLeg: number;
  readonly stepMs: number;
  readonly peakMs: number;
  /** 3 by the provider's advice. */
  readonly ramps: number;
};

export const DEFAULT_RAMPS: Omit<RampQuestion, 'expectedRequestsPerSecond'> = {
  peakFactor: 2,
  stepsPerLeg: 4,
  stepMs: 120_000,
  peakMs: 300_000,
  ramps: 3,
};

/**
 * Up to the peak and back down, several times: what the provider advises for the first day, so that its engine learns what each
 * kind of machine does for its price (https://docs.vast.ai/serverless).
 *
 * @throws RangeError for a rate, a length or a number that is not positive
 */
export function rampProfile(question: RampQuestion): readonly LoadStep[] {
  for (const [name, value] of Object.entries(question)) {
    if (!(value > 0) || !Number.isFinite(value)) throw new RangeError(`${name} is ${value}; it has to be more than 0`);
  }
  const { expectedRequestsPerSecond, peakFactor, stepsPerLeg, stepMs, peakMs, ramps } = question;
  const peak = expectedRequestsPerSecond * peakFactor;
  const up = Array.from({ length: stepsPerLeg }, (_, step) => (peak * (step + 1)) / (stepsPerLeg + 1));
  const one = [
    ...up.map((rate) => ({ leg: 'up' as const, rate, lengthMs: stepMs })),
    { leg: 'peak' as const, rate: peak, lengthMs: peakMs },
    ...up.toReversed().map((rate) => ({ leg: 'down' as const, rate, lengthMs: stepMs })),
  ];
  let fromMs = 0;
  return Array.from({ length: ramps }, (_, index) => index + 1).flatMap((ramp) =>
    one.map(({ leg, rate, lengthMs }) => {
      const step: LoadStep = { ramp, leg, requestsPerSecond: rate, fromMs, toMs: fromMs + lengthMs };
      fromMs = step.toMs;
      return step;
    }),
  );
}

/**
 * When each request of a profile is due, milliseconds since its start, in order: an open loop, whatever the answers do.
 *
 * @param uniform a number from 0 up to 1 at each call, for arrivals at random (Poisson); left out: evenly spaced
 */
export function* dueTimes(profile: readonly LoadStep[], uniform?: () => number): Generator<number> {
  let owed = uniform ? -Math.log(1 - uniform()) : 0.5;
  for (const { fromMs, toMs, requestsPerSecond } of profile) {
    const perMs = requestsPerSecond / 1_000;
    let atMs = fromMs;
    while (atMs + owed / perMs < toMs) {
      atMs += owed / perMs;
      yield atMs;
      owed = uniform ? -Math.log(1 - uniform()) : 1;
    }
    // What is left of the wait for the next goes over into the next rate.
    owed -= (toMs - atMs) * perMs;
  }
}

/** Requests that a profile sends, on average. */
export const plannedRequests = (profile: readonly LoadStep[]): number =>
  profile.reduce((sum, { fromMs, toMs, requestsPerSecond }) => sum + ((toMs - fromMs) / 1_000) * requestsPerSecond, 0);
