/** The only source of randomness. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

export const systemRandom: Random = { next: () => Math.random() };

/** Bound once: where modules have a context of their own, as in tests, a look-up of a global costs more than the sum. */
const { imul } = Math;

/** Mulberry32: small, fast, repeatable; for tests, simulation and jitter, never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    },
  };
}

/** `ms` spread uniformly over ±`share` of itself. */
export const jitter = (random: Random, ms: number, share = 0.2): number => ms * (1 + share * (2 * random.next() - 1));
