import { describe, expect, it } from '@jest/globals';
import type { ErrorClass, StockState } from '@davit/contracts';
import fc from 'fast-check';
import type { OfferTry } from '../lifecycle/evolve-offer.js';
import { PRIOR_CONFIDENCE, confidenceOf } from './confidence.js';
import { honestyOf } from './honesty.js';
import { readyTimeOf } from './ready-time.js';
import { type TrackRecord, pooled } from './record.js';
import { reliabilityOf } from './reliability.js';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

type How = { agoMs?: number; tookMs?: number; said?: StockState; class?: ErrorClass; id?: string };
let position = 0;
const tried = (outcome: OfferTry['outcome'], how: How = {}): OfferTry => {
  const endedMs = NOW - (how.agoMs ?? 0);
  position += 1;
  return {
    at: new Date(endedMs - (how.tookMs ?? MINUTE)).toISOString(),
    endedAt: new Date(endedMs).toISOString(),
    said: how.said ?? 'available',
    source: 'runpod',
    replicaId: how.id ?? `default/qwen-1-0-${position}`,
    outcome,
    class: how.class ?? (outcome === 'refused' ? 'capacity' : outcome === 'failed' ? 'transient' : null),
    detail: '',
    position,
  };
};
const record = (tries: readonly OfferTry[], lost: readonly string[] = []): TrackRecord => ({
  tries,
  losses: lost.map((replicaId, index) => ({ replicaId, at: new Date(NOW).toISOString(), position: index })),
});
const times = (count: number, outcome: OfferTry['outcome'], how: How = {}): OfferTry[] =>
  Array.from({ length: count }, () => tried(outcome, how));

describe('confidence in an offer', () => {
  it('is the prior where nobody tried', () => {
    expect(confidenceOf(undefined, NOW)).toBe(PRIOR_CONFIDENCE);
    expect(confidenceOf(record([]), NOW)).toBe(PRIOR_CONFIDENCE);
  });
  it('falls with each refusal and rises with each start that served', () => {
    expect([1, 3, 15].map((count) => confidenceOf(record(times(count, 'refused')), NOW))).toEqual([0.33, 0.2, 0.06]);
    expect([1, 3, 15].map((count) => confidenceOf(record(times(count, 'served')), NOW))).toEqual([0.67, 0.8, 0.94]);
  });
  it('forgets with time, both the bad and the good', () => {
    const after = (outcome: OfferTry['outcome'], minutes: number) =>
      confidenceOf(record(times(3, outcome, { agoMs: minutes * MINUTE })), NOW);
    expect([0, 30, 60, 600].map((minutes) => after('refused', minutes))).toEqual([0.2, 0.29, 0.36, 0.5]);
    expect([0, 30, 60, 600].map((minutes) => after('served', minutes))).toEqual([0.8, 0.71, 0.64, 0.5]);
  });
  it('is not moved by a start that failed for another reason than stock', () =>
    expect(confidenceOf(record(times(9, 'failed')), NOW)).toBe(PRIOR_CONFIDENCE));
  it('stays between 0 and 1 whatever happened, also with clocks that are ahead', () => {
    const outcome = fc.constantFrom<OfferTry['outcome']>('served', 'refused', 'failed');
    const tries = fc.array(fc.tuple(outcome, fc.integer({ min: -10 * MINUTE, max: 1e10 })), { maxLength: 50 });
    fc.assert(
      fc.property(tries, (history) => {
        const value = confidenceOf(record(history.map(([how, agoMs]) => tried(how, { agoMs }))), NOW);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('honesty of a stock signal', () => {
  it('is the share of promises of stock that were kept', () =>
    expect(honestyOf(record([...times(3, 'served'), ...times(1, 'refused')]))).toEqual({
      saidAvailable: 4,
      refused: 1,
      share: 0.75,
    }));
  it('counts neither what it did not promise nor what failed for another reason', () => {
    const others = [tried('refused', { said: 'unknown' }), tried('served', { said: 'constrained' }), tried('failed')];
    expect(honestyOf(record(others))).toEqual({ saidAvailable: 0, refused: 0, share: null });
  });
});

describe('reliability of an offer', () => {
  it('is not known before a start served or failed', () => {
    expect(reliabilityOf(undefined)).toBeNull();
    expect(reliabilityOf(record(times(3, 'refused')))).toBeNull();
  });
  it('grows with good starts and never claims certainty', () => {
    const scores = [1, 2, 10, 50].map((count) => reliabilityOf(record(times(count, 'served')))?.score ?? 0);
    expect(scores).toEqual([0.667, 0.75, 0.917, 0.981]);
  });
  it('falls with failed starts and with losses of what served', () => {
    const tries = [tried('served', { id: 'a' }), tried('served', { id: 'b' }), tried('failed')];
    expect(reliabilityOf(record(tries, ['b', 'forgotten']))).toEqual({ score: 0.4, good: 1, failed: 1, lost: 1 });
  });
  it('is not moved by what we did wrong ourselves', () => {
    const ours = [tried('failed', { class: 'config' }), tried('failed', { class: 'auth' }), tried('served')];
    expect(reliabilityOf(record(ours))).toEqual({ score: 0.667, good: 1, failed: 0, lost: 0 });
  });
});

describe('time to ready', () => {
  it('is not known before a start served', () => expect(readyTimeOf(record(times(2, 'refused')))).toBeNull());
  it('is the median and the 95th percentile of starts that served', () => {
    const tries = Array.from({ length: 20 }, (_, index) => tried('served', { tookMs: (index + 1) * MINUTE }));
    expect(readyTimeOf(record([...tries, tried('failed', { tookMs: 99 * MINUTE })]))).toEqual({
      medianMs: 10 * MINUTE,
      p95Ms: 19 * MINUTE,
      starts: 20,
    });
    expect(readyTimeOf(record([tried('served', { tookMs: 5 })]))).toEqual({ medianMs: 5, p95Ms: 5, starts: 1 });
  });
});

describe('offers together', () => {
  it('read like one offer whose starts went in the order of the log', () => {
    const [a, b, c] = [tried('served'), tried('refused'), tried('served')];
    expect(pooled([record([a, c]), record([b])]).tries).toEqual([a, b, c]);
  });
});
