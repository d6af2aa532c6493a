import { orderOf } from '../money.js';
import { describeDuration, describeMoney } from './describe.js';
import type { JudgedCandidate } from './judge.js';
import type { PlacementQuestion } from './question.js';
import { readyTimeOf } from './ready-time.js';
import { oncePerRecord } from './record.js';
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
  private readonly currency: string | null;
  /** Smaller comes first. */
  private readonly values: Float64Array;

  constructor(candidates: readonly JudgedCandidate[], question: PlacementQuestion) {
    this.names = question.selection === 'ladder' ? ['rung'] : ORDERS[question.objective];
    this.currency = question.selection === 'ladder' ? null : currencyOf(candidates, question);
    const costs = costsOf(candidates, this.currency);
    this.values = new Float64Array(candidates.length * this.names.length);
    let at = 0;
    for (const [row, candidate] of candidates.entries()) {
      for (const name of this.names) this.values[at++] = VALUES[name](candidate, costs[row] ?? UNKNOWN);
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
    for (const name of this.names) words[name] = WORDS[name](candidate, this.currency);
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

type ByName<Context, Result> = Readonly<Record<ScoreName, (candidate: JudgedCandidate, context: Context) => Result>>;

const VALUES: ByName<number, number> = {
  rung: ({ rung }) => rung,
  cost: (_candidate, cost) => cost,
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

const WORDS: ByName<string | null, string> = {
  rung: ({ rung }) => `rung ${rung}`,
  cost: costWords,
  readiness: ({ offer }) => readyWords(offer),
  reliability: ({ offer }) => reliabilityWords(offer),
  stock: ({ stock, confidence }) =>
    stock.state === 'available' && confidence < BELIEVED_FROM
      ? `available, which is believed to ${confidence} only`
      : stock.state,
  confidence: ({ confidence }) => `${confidence}`,
};

const readyWords = oncePerRecord((offer): string => {
  const time = readyTimeOf(offer);
  if (!time) return 'unknown, no start on it served';
  return `ready within ${describeDuration(time.p95Ms)} in 95 of 100 cases, of ${time.starts} starts`;
});

const reliabilityWords = oncePerRecord((offer): string => {
  const kept = reliabilityOf(offer);
  if (!kept) return 'unknown, no start on it ended';
  return `${kept.score}: ${kept.good} starts good, ${kept.failed} failed, ${kept.lost} lost later`;
});

/** Money of two currencies is never compared: of several the budget's counts, else the one of most fresh prices. */
function currencyOf(candidates: readonly JudgedCandidate[], { budgets }: PlacementQuestion): string | null {
  const left = budgets.flatMap(({ hourlyLeft, totalLeft }) => hourlyLeft ?? totalLeft ?? [])[0];
  if (left) return left.currency;
  return mostUsed(
    candidates.flatMap(({ price: { status, price } }) => (status === 'fresh' ? (price?.currency ?? []) : [])),
  );
}

/** Of each candidate a number that stands for its cost: only fresh prices in this currency are compared. */
const costsOf = (candidates: readonly JudgedCandidate[], currency: string | null): readonly number[] =>
  orderOf(
    candidates.map(({ price: { status, price } }) =>
      status === 'fresh' && price?.currency === currency ? price.amount : null,
    ),
  );

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
