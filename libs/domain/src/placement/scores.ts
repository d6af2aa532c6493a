import { compareAmounts } from '../money.js';
import { describeDuration, describeMoney } from './describe.js';
import type { JudgedCandidate } from './judge.js';
import type { PlacementQuestion } from './question.js';
import { readyTimeOf } from './ready-time.js';
import { reliabilityOf } from './reliability.js';

export type ScoreName = 'rung' | 'cost' | 'readiness' | 'reliability' | 'stock' | 'confidence';

type Score = { readonly value: number; readonly words: string };

/** What the objective compares of one candidate, in the order in which it counts: lists beside each other, for thousands of them. */
export type Scores = {
  readonly names: readonly ScoreName[];
  /** Smaller comes first. */
  readonly values: readonly number[];
  /** What was compared, in words. */
  readonly words: readonly string[];
};

/**
 * Each objective with what decides where it is equal. Whoever wants to be ready soon loses minutes with each refusal, so there
 * stock comes first; elsewhere a refusal costs nothing but time.
 */
const ORDERS: Readonly<Record<PlacementQuestion['objective'], readonly ScoreName[]>> = {
  readiness: ['stock', 'readiness', 'reliability', 'cost', 'confidence'],
  reliability: ['reliability', 'readiness', 'cost', 'stock', 'confidence'],
  cost: ['cost', 'reliability', 'readiness', 'stock', 'confidence'],
};
/** What is not known sorts last. */
const UNKNOWN = Infinity;
/** Promises of an offer that refused more than it kept are not believed. */
const BELIEVED_FROM = 0.5;

/** The scores of each candidate. */
export function scoresOf(
  candidates: readonly JudgedCandidate[],
  question: PlacementQuestion,
): (candidate: JudgedCandidate) => Scores {
  const costs = costRanks(candidates, question);
  const names: readonly ScoreName[] = question.selection === 'ladder' ? ['rung'] : ORDERS[question.objective];
  return (candidate) => {
    const values: number[] = [];
    const words: string[] = [];
    for (const name of names) {
      const score = SCORES[name](candidate, costs);
      values.push(score.value);
      words.push(score.words);
    }
    return { names, values, words };
  };
}

type CostRanks = { readonly currency: string | null; readonly ranks: ReadonlyMap<JudgedCandidate, number> };

const SCORES: Readonly<Record<ScoreName, (candidate: JudgedCandidate, costs: CostRanks) => Score>> = {
  rung: ({ rung }) => ({ value: rung, words: `rung ${rung}` }),
  cost: (candidate, costs) => ({
    value: costs.ranks.get(candidate) ?? UNKNOWN,
    words: costWords(candidate, costs.currency),
  }),
  readiness: ({ offer }) => {
    const time = readyTimeOf(offer);
    if (!time) return { value: UNKNOWN, words: 'unknown, no start on it served' };
    const words = `ready within ${describeDuration(time.p95Ms)} in 95 of 100 cases, of ${time.starts} starts`;
    return { value: time.p95Ms, words };
  },
  reliability: ({ offer }) => {
    const kept = reliabilityOf(offer);
    if (!kept) return { value: UNKNOWN, words: 'unknown, no start on it ended' };
    const { score, good, failed, lost } = kept;
    return {
      value: -score,
      words: `${score}: ${good} starts good, ${failed} failed, ${lost} lost later`,
    };
  },
  stock: ({ stock, confidence }) => {
    if (stock.state === 'unknown') return { value: 2, words: 'unknown' };
    if (stock.state !== 'available') return { value: 1, words: stock.state };
    return confidence < BELIEVED_FROM
      ? { value: 1, words: `available, which is believed to ${confidence} only` }
      : { value: 0, words: 'available' };
  },
  confidence: ({ confidence }) => ({ value: -confidence, words: `${confidence}` }),
};

/** Money of two currencies is never compared: the place of each fresh price among those of one currency. */
function costRanks(candidates: readonly JudgedCandidate[], { budgets, selection }: PlacementQuestion): CostRanks {
  if (selection === 'ladder') return { currency: null, ranks: new Map() };
  const fresh = candidates.filter(({ price }) => price.status === 'fresh');
  const left = budgets.flatMap(({ hourlyLeft, totalLeft }) => hourlyLeft ?? totalLeft ?? []);
  const currency = left[0]?.currency ?? mostUsed(fresh.flatMap(({ price }) => price.price?.currency ?? []));
  const ofCurrency = fresh.filter(({ price }) => price.price?.currency === currency);
  // Many offers cost the same: each amount is put in its place once.
  const amounts = [...new Set(ofCurrency.flatMap(({ price }) => price.price?.amount ?? []))].sort(compareAmounts);
  const rankOf = new Map<string, number>();
  let rank = 0;
  amounts.forEach((amount, index) => {
    const before = amounts[index - 1];
    if (before !== undefined && compareAmounts(before, amount) < 0) rank += 1;
    rankOf.set(amount, rank);
  });
  const ranks = new Map<JudgedCandidate, number>();
  for (const candidate of ofCurrency) ranks.set(candidate, rankOf.get(candidate.price.price?.amount ?? '') ?? UNKNOWN);
  return { currency, ranks };
}

/** The currency of most; of several equally used the first by name; null without any. */
function mostUsed(currencies: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const currency of currencies) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return first?.[0] ?? null;
}

function costWords({ price }: JudgedCandidate, currency: string | null): string {
  if (price.price === null) return `unknown: ${price.detail}`;
  const amount = `${describeMoney(price.price)} an hour`;
  if (price.status !== 'fresh') return `unknown: ${amount} was said, and ${price.detail}`;
  return price.price.currency === currency ? amount : `${amount}, which is not compared with ${currency ?? 'others'}`;
}
