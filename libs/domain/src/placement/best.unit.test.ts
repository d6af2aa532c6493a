import { describe, expect, it } from '@jest/globals';
import type { Candidate, Objective, PlacementQuestion } from './question.js';
import { rankPlacements } from './rank.js';
import { candidateOf, offerWith, placementAt, priceOfMachine, questionWith, signalOf } from './testing/questions.js';

const MINUTE = 60_000;
const at = (cloud: string, change: Parameters<typeof placementAt>[0] = {}) => placementAt({ cloud, ...change });

type Known = { cloud: string; amount?: string; p95Minutes?: number; good?: number; failed?: number };
/** A member of a set with so many starts that took so long. */
function known(rung: number, { cloud, amount, p95Minutes = 5, good = 0, failed = 0 }: Known): Candidate {
  const placement = at(cloud);
  const tries = [
    ...Array.from({ length: good }, () => ({
      outcome: 'served' as const,
      agoMs: 1e9,
      tookMs: p95Minutes * MINUTE,
    })),
    ...Array.from({ length: failed }, () => ({ outcome: 'failed' as const, agoMs: 1e9 })),
  ];
  return candidateOf(rung, {
    placement,
    signal: signalOf('available', amount === undefined ? {} : { amount }),
    offer: tries.length === 0 ? undefined : offerWith(placement, tries),
  });
}
const order = (candidates: readonly Candidate[], objective: Objective, change: Partial<PlacementQuestion> = {}) =>
  rankPlacements(questionWith(candidates, { selection: 'best', objective, ...change })).candidates.map(
    ({ placement }) => placement.cloud,
  );

describe('a set ranked by its objective', () => {
  const cheap = known(0, { cloud: 'cheap', amount: '0.50', p95Minutes: 20, good: 2, failed: 2 });
  const quick = known(1, { cloud: 'quick', amount: '0.80', p95Minutes: 4, good: 4, failed: 1 });
  const sound = known(2, { cloud: 'sound', amount: '0.90', p95Minutes: 9, good: 9 });
  const fresh = known(3, { cloud: 'fresh' });
  const all = [fresh, sound, quick, cheap];

  it('puts first what the objective asks for, and last what nobody knows', () => {
    expect(order(all, 'cost')).toEqual(['cheap', 'quick', 'sound', 'fresh']);
    expect(order(all, 'readiness')).toEqual(['quick', 'sound', 'cheap', 'fresh']);
    expect(order(all, 'reliability')).toEqual(['sound', 'quick', 'cheap', 'fresh']);
  });
  it('compares the next objective where the first is equal', () => {
    const same = (cloud: string, more: Partial<Known>) => known(0, { cloud, amount: '1.0', good: 2, ...more });
    expect(order([same('a', { failed: 1 }), same('b', { failed: 0 })], 'cost')).toEqual(['b', 'a']);
    expect(order([same('a', { p95Minutes: 9 }), same('b', { p95Minutes: 8 })], 'cost')).toEqual(['b', 'a']);
    expect(order([same('a', { failed: 1 }), same('b', { amount: '2' })], 'readiness')).toEqual(['b', 'a']);
    expect(order([same('a', { amount: '3' }), same('b', { amount: '2' })], 'readiness')).toEqual(['b', 'a']);
    expect(order([same('a', { p95Minutes: 9 }), same('b', { amount: '2' })], 'reliability')).toEqual(['b', 'a']);
  });
  it('compares amounts as decimals, whatever zeros they end with', () => {
    const nines = known(0, { cloud: 'nine', amount: '0.9' });
    const tens = known(1, { cloud: 'ten', amount: '0.100' });
    expect(order([nines, tens], 'cost')).toEqual(['ten', 'nine']);
    expect(order([known(0, { cloud: 'b', amount: '1.0' }), known(1, { cloud: 'a', amount: '1' })], 'cost')).toEqual([
      'a',
      'b',
    ]);
  });
  it('breaks a tie by the name of the offer', () =>
    expect(order([known(0, { cloud: 'b' }), known(1, { cloud: 'a' })], 'cost')).toEqual(['a', 'b']));
  it('prefers known stock where readiness is asked for, and elsewhere only to break a tie', () => {
    const sure = known(0, { cloud: 'sure', amount: '2.00' });
    const unsure = { ...known(1, { cloud: 'unsure', amount: '1.00', good: 3 }), signal: signalOf('unknown') };
    expect(order([sure, unsure], 'readiness')).toEqual(['sure', 'unsure']);
    expect(order([sure, unsure], 'reliability')).toEqual(['unsure', 'sure']);
    const priced = { ...unsure, signal: signalOf('unknown', { amount: '1.00' }) };
    expect(order([sure, priced], 'cost')).toEqual(['unsure', 'sure']);
  });
  it('believes no promise of stock of an offer that broke it lately', () => {
    const liar = at('liar');
    const refusedLately = offerWith(liar, [{ outcome: 'refused', agoMs: 15 * MINUTE }]);
    const signal = signalOf('available', { amount: '0.10' });
    const candidates = [
      candidateOf(0, { placement: liar, signal, offer: refusedLately }),
      candidateOf(1, { placement: at('other'), signal: signalOf('available', { amount: '9.00' }) }),
    ];
    const ranking = rankPlacements(questionWith(candidates, { selection: 'best', objective: 'readiness' }));
    expect(ranking.chosen?.placement.cloud).toBe('other');
    expect(ranking.candidates[1]?.scores['stock']).toBe('available, which is believed to 0.37 only');
  });
  it('compares no money of two currencies: what is not of the budget, or of most, counts as unknown', () => {
    const euro = (rung: number, cloud: string, amount: string) =>
      candidateOf(rung, {
        placement: at(cloud),
        signal: { ...signalOf('available'), price: priceOfMachine(amount, { currency: 'EUR' }) },
      });
    const dollars = [known(1, { cloud: 'one', amount: '5.00' }), known(2, { cloud: 'two', amount: '4.00' })];
    expect(order([euro(0, 'euro', '0.01'), ...dollars], 'cost')).toEqual(['two', 'one', 'euro']);
    const ranking = rankPlacements(
      questionWith([euro(0, 'euro', '0.01'), ...dollars], { selection: 'best', objective: 'cost' }),
    );
    expect(ranking.candidates[2]?.scores['cost']).toBe('0.01 EUR an hour, which is not compared with USD');
  });
  it('says by what each comes after the one before it', () => {
    const ranking = rankPlacements(questionWith(all, { selection: 'best', objective: 'cost' }));
    expect(ranking.candidates.map(({ reason }) => reason.split(';')[0])).toEqual([
      'best by cost of those that nothing speaks against (0.50 USD an hour)',
      'after cheap L40S:1 by cost: 0.80 USD an hour against 0.50 USD an hour',
      'after quick L40S:1 by cost: 0.90 USD an hour against 0.80 USD an hour',
      'after sound L40S:1 by cost: unknown: no price is known against 0.90 USD an hour',
    ]);
  });
});

describe('replicas that are spread', () => {
  const places = [
    candidateOf(0, { placement: at('runpod', { region: 'EU' }) }),
    candidateOf(1, { placement: at('runpod', { region: 'US' }) }),
    candidateOf(2, { placement: at('vast') }),
  ];
  const chosen = (change: Partial<PlacementQuestion>, candidates = places) =>
    rankPlacements(questionWith(candidates, change)).chosen?.rung;

  it('go where the fewest of them are', () => {
    const neighbours = [at('runpod', { region: 'EU' })];
    expect(chosen({ neighbours })).toBe(0);
    expect(chosen({ neighbours, spread: 'region' })).toBe(1);
    expect(chosen({ neighbours, spread: 'cloud' })).toBe(2);
    expect(chosen({ neighbours: [...neighbours, at('vast'), at('vast')], spread: 'cloud' })).toBe(0);
  });
  it('keep to the order of the ladder where as many are', () => expect(chosen({ spread: 'cloud' })).toBe(0));
  it('do not wait for a place that has no stock', () => {
    const [first, second] = places;
    const out = candidateOf(2, { placement: at('vast'), signal: signalOf('unavailable') });
    const neighbours = [at('runpod', { region: 'EU' })];
    expect(
      chosen(
        { neighbours, spread: 'cloud' },
        [first, second, out].flatMap((one) => one ?? []),
      ),
    ).toBe(0);
  });
  it('are spread as well when many are asked for at once', () => {
    const rungs = [0, 1, 2, 3, 4].map((ahead) => chosen({ ahead, spread: 'region' }));
    expect(rungs).toEqual([0, 1, 2, 0, 1]);
  });
  it('are spread by the objective where the places are equal', () => {
    const set = [known(0, { cloud: 'a', amount: '2' }), known(1, { cloud: 'b', amount: '1' })];
    expect(chosen({ selection: 'best', spread: 'cloud', ahead: 0 }, set)).toBe(1);
    expect(chosen({ selection: 'best', spread: 'cloud', ahead: 1 }, set)).toBe(0);
  });
  it('say how many there are', () => {
    const ranking = rankPlacements(questionWith(places, { neighbours: [at('runpod')], spread: 'cloud' }));
    expect(ranking.chosen?.reason).toContain('0 of its replicas are there');
    expect(ranking.candidates[1]?.reason).toContain('by spread: 1 replica is there against 0');
  });
});
