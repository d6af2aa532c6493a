import type { HourlyPrice, Placement, PriceMarket, StockSignal, StockState } from '@davit/contracts';
import { isoTime } from '@davit/ports';

/** Why an advisor could not say; undefined when it said what it had to say, even if that is "unknown". */
export const ADVICE_FAILURES = [
  'no-credentials',
  'credentials-rejected',
  'outage',
  'rate-limited',
  'bad-question',
  'unreadable-answer',
] as const;
export type AdviceFailure = (typeof ADVICE_FAILURES)[number];

/** What is asked of every advisor, whoever the provider is. */
export type StockQuestion = {
  readonly placement: Placement;
  /** Disk that the machine has to have; null where that is not known. */
  readonly diskGiB: number | null;
};

export type Advice = {
  readonly signal: StockSignal;
  readonly failure?: AdviceFailure;
  /** Every price that was weighed for the signal's own, by whoever put them together. */
  readonly prices?: readonly HourlyPrice[];
};

/** Tells whether a placement can be had. Advice only: not knowing never blocks, and nothing is changed by asking. */
export interface StockAdvisor {
  /** Stands in signals and events as their source. */
  readonly source: string;
  /** The same text for questions that one exchange with the provider answers; null where nothing would be sent. */
  exchangeOf(question: StockQuestion): string | null;
  /** Never throws; whatever goes wrong is `unknown` with a reason. */
  advise(question: StockQuestion): Promise<Advice>;
}

/** A live price of the whole instance, in USD, before its times are added. */
export type QuotedPrice = {
  readonly amount: string;
  readonly market: PriceMarket;
  readonly storage?: 'included' | 'excluded';
};

/** What a decision says of stock, before the time of its observation is added. */
export type Verdict = {
  readonly state: StockState;
  readonly level: string | null;
  readonly scope: StockSignal['scope'];
  readonly detail: string;
  readonly permanent: boolean;
  readonly price: QuotedPrice | null;
  /** The provider's own words, by the field they stood in. */
  readonly raw?: Readonly<Record<string, string>>;
  readonly failure?: AdviceFailure;
};

/** `unknown` for a stated reason; the place was not observed, so the scope is none. */
export const unknownBecause = (
  detail: string,
  failure?: AdviceFailure,
  raw?: Readonly<Record<string, string>>,
): Verdict => ({
  state: 'unknown',
  level: null,
  scope: 'none',
  detail,
  permanent: false,
  price: null,
  ...(raw === undefined ? {} : { raw }),
  ...(failure === undefined ? {} : { failure }),
});

export type Stamp = {
  readonly source: string;
  /** When the answer was received. */
  readonly observedAtMs: number;
  readonly lifetimeMs: number;
  /** What a provider calls the market of a question that allows interruption. */
  readonly interruptible?: PriceMarket;
};

/** Stamps a verdict with its source, what was asked, the moment it was received, and the moment it stops to say anything (law 4). */
export function adviceOf(verdict: Verdict, { placement, diskGiB }: StockQuestion, stamp: Stamp): Advice {
  const { state, level, scope, detail, permanent, price, raw, failure } = verdict;
  const { source, observedAtMs, lifetimeMs, interruptible = 'spot' } = stamp;
  const observedAt = isoTime(observedAtMs);
  const expiresAt = isoTime(observedAtMs + lifetimeMs);
  const signal: StockSignal = {
    state,
    source,
    scope,
    level,
    observedAt,
    expiresAt,
    price: price === null ? null : quoted(price, source, observedAt, expiresAt),
    detail,
    asked: {
      count: placement.accelerator?.count ?? 1,
      region: placement.region,
      market: placement.spot ? interruptible : 'on-demand',
      diskGiB,
    },
    ...(raw === undefined ? {} : { raw: words(raw) }),
    permanent,
  };
  return failure === undefined ? { signal } : { signal, failure };
}

const quoted = (price: QuotedPrice, source: string, observedAt: string, staleAfter: string): HourlyPrice => ({
  amount: price.amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source,
  observedAt,
  market: price.market,
  ...(price.storage === undefined ? {} : { storage: price.storage }),
  staleAfter,
});

/** Longer words of a provider are cut: they explain, and are never acted on. */
const LONGEST_FIELD = 60;
const LONGEST_WORD = 200;

const words = (raw: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(raw).map(([field, word]) => [field.slice(0, LONGEST_FIELD), word.slice(0, LONGEST_WORD)]),
  );
