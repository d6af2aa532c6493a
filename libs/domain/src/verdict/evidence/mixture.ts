/** Whether a rate is shown to lie above a limit, or below it. */
export type Direction = 'above' | 'below';

/** What one observation multiplies the likelihood ratio by, as natural logarithms: one that counts, and one that does not. */
type Component = { readonly hit: number; readonly miss: number };

/** Odds of the alternatives as multiples of the odds at the limit: from barely different to all but certain. */
const ODDS_ABOVE = [1.1, 1.25, 1.45, 1.8, 2.5, 4, 8, 32] as const;

/**
 * The alternatives that a limit on a rate is tested against: a finite mixture of likelihood ratios of Bernoulli observations.
 *
 * With each alternative the product of the ratios is a non-negative supermartingale while the chance that an observation
 * counts, given all before it, stays on the near side of the limit; so is their mean. By Ville's inequality (Ville 1939) it
 * ever exceeds 1/α with a probability of α at most, however often one looks. This is the mixture sequential probability ratio
 * test (Wald 1945; Robbins 1970, doi:10.1214/aoms/1177696786) with a discrete mixing distribution; its use for continuously
 * watched comparisons is set out in Johari, Koomen, Pekelis, Walsh 2022, doi:10.1287/opre.2021.2135.
 *
 * @param limit a rate, more than 0 and less than 1
 */
export function alternativesTo(limit: number, direction: Direction): readonly Component[] {
  return ODDS_ABOVE.map((above) => {
    const factor = direction === 'above' ? above : 1 / above;
    // (1 - rate) / (1 - limit) where the odds of the rate are the odds of the limit times the factor.
    const miss = -Math.log1p((factor - 1) * limit);
    return { hit: Math.log(factor) + miss, miss };
  });
}

export const logOf = ({ hit, miss }: Component, count: number, of: number): number => count * hit + (of - count) * miss;

/** Logarithm of the mean of what is given as logarithms. */
export function logMeanExp(logs: readonly number[]): number {
  const most = Math.max(...logs);
  if (most === -Infinity) return -Infinity;
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / logs.length);
}

export function logAddExp(a: number, b: number): number {
  const most = Math.max(a, b);
  return most === -Infinity ? -Infinity : most + Math.log1p(Math.exp(Math.min(a, b) - most));
}

/** A limit of 0 or of 1 can be refuted, and never be proven. */
export const isTestable = (limit: number): boolean => limit > 0 && limit < 1;

/** Logarithm of the evidence that the rate lies beyond the limit, from `count` of `of` observations. */
export const logEvidence = (count: number, of: number, limit: number, direction: Direction): number =>
  logMeanExp(alternativesTo(limit, direction).map((component) => logOf(component, count, of)));

/**
 * How many of `of` observations may count before a rate of `limit` is refuted from this side: the ends of a confidence sequence,
 * valid at all sizes at once (Howard, Ramdas, McAuliffe, Sekhon 2021, doi:10.1214/20-AOS1991).
 *
 * @returns for `above` the most, for `below` the fewest
 */
export function edgeOf(of: number, limit: number, direction: Direction, needed: number): number {
  // The evidence is monotone in the count, so that it can be halved.
  const isRefuted = (count: number): boolean => logEvidence(count, of, limit, direction) >= needed;
  let [low, high] = [0, of];
  if (direction === 'above') {
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (isRefuted(middle)) high = middle - 1;
      else low = middle;
    }
    return low;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isRefuted(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Steps in which a bound on a rate is found. */
const HALVINGS = 40;

/** The least rate (`above`) or the greatest (`below`) that the observations do not refute from that side. */
export function boundOn(count: number, of: number, direction: Direction, needed: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const middle = (low + high) / 2;
    const isRefuted = logEvidence(count, of, middle, direction) >= needed;
    if (isRefuted === (direction === 'above')) low = middle;
    else high = middle;
  }
  // Rounded away from what is claimed.
  return direction === 'above' ? low : high;
}
