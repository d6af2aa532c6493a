import type { HourlyPrice, Placement, StockSignal, StockState } from '@davit/contracts';
import { isoTime } from '@davit/ports';

/** Why an advisor could not say; undefined when it said what it had to say, even if that is "unknown". */
export type AdviceFailure =
  'no-credentials' | 'credentials-rejected' | 'outage' | 'rate-limited' | 'bad-question' | 'unreadable-answer';

export type Advice = { readonly signal: StockSignal; readonly failure?: AdviceFailure };

/** Tells whether a placement can be had. Advice only: not knowing never blocks, and nothing is changed by asking. */
export interface StockAdvisor {
  /** Stands in signals and events as their source. */
  readonly source: string;
  /** Never throws; whatever goes wrong is `unknown` with a reason. */
  advise(placement: Placement): Promise<Advice>;
}

/** What a decision says of stock, before the time of its observation is added. */
export type Verdict = {
  readonly state: StockState;
  readonly level: string | null;
  readonly scope: StockSignal['scope'];
  readonly detail: string;
  readonly permanent: boolean;
  readonly price: string | null;
  readonly failure?: AdviceFailure;
};

/** `unknown` for a stated reason; the place was not observed, so the scope is none. */
export const unknownBecause = (detail: string, failure?: AdviceFailure): Verdict => ({
  state: 'unknown',
  level: null,
  scope: 'none',
  detail,
  permanent: false,
  price: null,
  ...(failure === undefined ? {} : { failure }),
});

/** Stamps a verdict with its source, the moment it was received, and the moment it stops to say anything (law 4). */
export function adviceOf(verdict: Verdict, source: string, nowMs: number, lifetimeMs: number): Advice {
  const { state, level, scope, detail, permanent, price, failure } = verdict;
  const observedAt = isoTime(nowMs);
  const signal: StockSignal = {
    state,
    source,
    scope,
    level,
    observedAt,
    expiresAt: isoTime(nowMs + lifetimeMs),
    price: price === null ? null : quoted(price, source, observedAt),
    detail,
    permanent,
  };
  return failure === undefined ? { signal } : { signal, failure };
}

const quoted = (amount: string, source: string, observedAt: string): HourlyPrice => ({
  amount,
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'quoted',
  source,
  observedAt,
});
