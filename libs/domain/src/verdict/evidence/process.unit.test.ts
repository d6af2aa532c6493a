import { describe, expect, it } from '@jest/globals';
import { boundOn, edgeOf, logEvidence } from './mixture.js';
import { type Count, regressionsOf, supportOf } from './process.js';

/** Numbers from 0 up to 1, the same at every run (Lehmer 1951, with the multiplier of Park, Miller, Stockmeyer 1993). */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const STREAMS = 500;
const WINDOWS = 40;
const A_WINDOW = 40;
const ALPHA = 0.05;
const NEEDED = -Math.log(ALPHA);

function streamOf(uniform: () => number, rateAt: (window: number) => number): readonly Count[] {
  return Array.from({ length: WINDOWS }, (_, window) => {
    let count = 0;
    for (let request = 0; request < A_WINDOW; request++) if (uniform() < rateAt(window)) count += 1;
    return { count, of: A_WINDOW };
  });
}

/** How many streams ever convince somebody who looks after every window. */
const convinced = (rateAt: (window: number) => number, ever: (counts: readonly Count[]) => boolean): number => {
  const uniform = uniforms(7);
  return Array.from({ length: STREAMS }, () => ever(streamOf(uniform, rateAt))).filter(Boolean).length;
};

describe.each([0.01, 0.05, 0.5])('evidence about a limit of %d, looked at after every window', (limit) => {
  const question = { limit, mostOfOneWindow: NEEDED * 0.4 };
  const everProven = (counts: readonly Count[]): boolean => {
    const support = supportOf(counts, question);
    return counts.some((_, index) => support(0, index + 1) >= NEEDED);
  };
  const everRefuted = (counts: readonly Count[]): boolean =>
    (regressionsOf(counts, question).at(-1)?.peak ?? 0) >= NEEDED;

  it('proves a rate on the limit to lie below it no more often than stated', () => {
    expect(convinced(() => limit, everProven)).toBeLessThanOrEqual(ALPHA * STREAMS);
  });

  it('finds a regression where there is none no more often than stated, wherever it may have begun', () => {
    expect(convinced(() => limit, everRefuted)).toBeLessThanOrEqual(ALPHA * STREAMS);
  });

  it('finds one that begins late', () => {
    const rateAt = (window: number): number => (window < WINDOWS / 2 ? limit / 2 : Math.min(0.9, limit * 6));
    expect(convinced(rateAt, everRefuted)).toBeGreaterThan(0.95 * STREAMS);
  });
});

describe('a bound', () => {
  it('is the rate at which the evidence is just enough', () => {
    expect(logEvidence(12, 1_000, boundOn(12, 1_000, 'above', NEEDED), 'above')).toBeCloseTo(NEEDED, 6);
    expect(logEvidence(12, 1_000, boundOn(12, 1_000, 'below', NEEDED), 'below')).toBeCloseTo(NEEDED, 6);
    expect(boundOn(0, 1_000, 'above', NEEDED)).toBeCloseTo(0, 6);
  });

  it('on a count is the last that is not refuted', () => {
    const most = edgeOf(1_000, 0.05, 'above', NEEDED);
    expect(logEvidence(most, 1_000, 0.05, 'above')).toBeLessThan(NEEDED);
    expect(logEvidence(most + 1, 1_000, 0.05, 'above')).toBeGreaterThanOrEqual(NEEDED);
    const fewest = edgeOf(1_000, 0.05, 'below', NEEDED);
    expect(logEvidence(fewest, 1_000, 0.05, 'below')).toBeLessThan(NEEDED);
    expect(logEvidence(fewest - 1, 1_000, 0.05, 'below')).toBeGreaterThanOrEqual(NEEDED);
  });
});

it('nothing proves a rate below nothing, and one failure refutes it', () => {
  const question = { limit: 0, mostOfOneWindow: 1 };
  expect(supportOf([{ count: 0, of: 1_000_000 }], question)(0, 1)).toBe(-Infinity);
  expect(
    regressionsOf(
      [
        { count: 0, of: 9 },
        { count: 1, of: 9 },
      ],
      question,
    ).map(({ peak }) => peak),
  ).toEqual([-Infinity, Infinity]);
});
