import { compareAmounts } from '../money.js';
import { describeDuration, describeMoney } from './describe.js';
import type { JudgedCandidate } from './judge.js';
import type { PlacementQuestion } from './question.js';
import { readyTimeOf } from './ready-time.js';
import { reliabilityOf } from './reliability.js';

export type ScoreName = 'rung' | 'cost' | 'readiness' | 'reliability' | 'stock' | 'confidence';
/** What was compared, in words. */
export type ScoreWords = Readonly<Partial<Record<ScoreName, string>>>;

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

/**
 * What the objective compares of each candidate, in the order in which it counts. The numbers of all of them stand in one table,
 * a row for each, so that thousands are put in order without an object for each; the words are made where they are told.
 */
export class Scores {
  readonly names: readonly ScoreName[];
  private readonly costs: CostRanks;
  /** Smaller comes first. */
  private readonly values: Float64Array;

  constructor(candidates: readonly JudgedCandidate[], question: PlacementQuestion) {
    this.names = question.selection === 'ladder' ? ['rung'] : ORDERS[question.objective];
    this.costs = costRanks(candidates, question);
    this.values = new Float64Array(candidates.length * this.names.length);
    let at = 0;
    for (const candidate of candidates) {
      for (const name of this.names) this.values[at++] = VALUES[name](candidate, this.costs);
    }
  }

  /** Negative when the candidate of row `a` comes first, zero when nothing that is compared tells the two apart. */
  compare(a: number, b: number): number {
    const at = this.difference(a, b);
    return at === undefined ? 0 : this.value(a, at) < this.value(b, at) ? -1 : 1;
  }

  /** Name of the first that tells two rows apart. */
  firstDifference(a: number, b: number): ScoreName | undefined {
    const at = this.difference(a, b);
    return at === undefined ? undefined : this.names[at];
  }

  /** What is compared of a candidate, in words, by name and in the order in which it counts. */
  told(candidate: JudgedCandidate): ScoreWords {
    const words: Partial<Record<ScoreName, string>> = {};
    for (const name of this.names) words[name] = WORDS[name](candidate, this.costs);
    return words;
  }

  /** Place in {@link names}. */
  private difference(a: number, b: number): number | undefined {
    const count = this.names.length;
    for (let at = 0; at < count; at++) if (this.value(a, at) !== this.value(b, at)) return at;
    return undefined;
  }

  private value(row: number, at: number): number {
    return this.values[row * this.names.length + at] ?? UNKNOWN;
  }
}

type CostRanks = { readonly currency: string | null; readonly ranks: ReadonlyMap<string, number> };
type ByName<Result> = Readonly<Record<ScoreName, (candidate: JudgedCandidate, costs: CostRanks) => Result>>;

const VALUES: ByName<number> = {
  rung: ({ rung }) => rung,
  cost: ({ price: { status, price } }, { currency, ranks }) =>
    status === 'fresh' && price !== null && price.currency === currency
      ? (ranks.get(price.amount) ?? UNKNOWN)
      : UNKNOWN,
  readiness: ({ offer }) => readyTimeOf(offer)?.p95Ms ?? UNKNOWN,
  reliability: ({ offer }) => {
    const kept = reliabilityOf(offer);
    return kept ? -kept.score : UNKNOWN;
  },
  stock: ({ stock, confidence }) => {
    if (stock.state === 'unknown') return 2;
    return stock.state === 'available' && confidence >= BELIEVED_FROM ? 0 : 1;
  },
  confidence: ({ confidence }) => -confidence,
};

const WORDS: ByName<string> = {
  rung: ({ rung }) => `rung ${rung}`,
  cost: (candidate, { currency }) => costWords(candidate, currency),
  readiness: ({ offer }) => {
    const time = readyTimeOf(offer);
    if (!time) return 'unknown, no start on it served';
    return `ready within ${describeDuration(time.p95Ms)} in 95 of 100 cases, of ${time.starts} starts`;
  },
  reliability: ({ offer }) => {
    const kept = reliabilityOf(offer);
    if (!kept) return 'unknown, no start on it ended';
    return `${kept.score}: ${kept.good} starts good, ${kept.failed} failed, ${kept.lost} lost later`;
  },
  stock: ({ stock, confidence }) =>
    stock.state === 'available' && confidence < BELIEVED_FROM
      ? `available, which is believed to ${confidence} only`
      : stock.state,
  confidence: ({ confidence }) => `${confidence}`,
};

/** Money of two currencies is never compared: the place of each amount among the fresh prices of one currency. */
function costRanks(candidates: readonly JudgedCandidate[], { budgets, selection }: PlacementQuestion): CostRanks {
  if (selection === 'ladder') return { currency: null, ranks: new Map() };
  const fresh = candidates.filter(({ price }) => price.status === 'fresh');
  const left = budgets.flatMap(({ hourlyLeft, totalLeft }) => hourlyLeft ?? totalLeft ?? []);
  const currency = left[0]?.currency ?? mostUsed(fresh.flatMap(({ price }) => price.price?.currency ?? []));
  const ofCurrency = fresh.filter(({ price }) => price.price?.currency === currency);
  // Many offers cost the same: each amount is put in its place once.
  const amounts = [...new Set(ofCurrency.flatMap(({ price }) => price.price?.amount ?? []))].sort(compareAmounts);
  const ranks = new Map<string, number>();
  let rank = 0;
  amounts.forEach((amount, index) => {
    const before = amounts[index - 1];
    if (before !== undefined && compareAmounts(before, amount) < 0) rank += 1;
    ranks.set(amount, rank);
  });
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
