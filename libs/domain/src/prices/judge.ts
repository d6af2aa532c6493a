import type { HourlyPrice } from '@davit/contracts';

declare const fresh: unique symbol;
declare const stale: unique symbol;

/** A price that may authorise spend at the moment it was judged. Only {@link judgePrice} makes one; it is never kept. */
export type FreshPrice = HourlyPrice & { readonly [fresh]: true };

/** A price past its lifetime: it may be shown, and authorises nothing. */
export type StalePrice = HourlyPrice & { readonly [stale]: true };

export type PriceJudgement =
  | { readonly status: 'fresh'; readonly price: FreshPrice; readonly ageMs: number }
  | { readonly status: 'stale'; readonly price: StalePrice; readonly ageMs: number }
  /** It contradicts itself or the clock, so it is no price at all. */
  | { readonly status: 'refused'; readonly price: HourlyPrice; readonly reason: string }
  | { readonly status: 'missing' };

/** Source of the operator's own table: it wins over every other, and may say that a machine costs nothing. */
export const OPERATOR_SOURCE = 'operator';

/** Clocks of two machines may differ by so much; an observation further ahead is of no real moment. */
export const CLOCK_SKEW_MS = 60_000;

/** Lifetime of a price whose source states none: by what kind of fact it is. */
export const PRICE_LIFETIME_MS: Readonly<Record<HourlyPrice['kind'], number>> = {
  quoted: 10 * 60_000,
  billed: 60 * 60_000,
  catalogue: 24 * 60 * 60_000,
};

/** What a price is worth at `nowMs`. Time alone turns fresh into stale, and nothing turns it back. */
export function judgePrice(price: HourlyPrice | null | undefined, nowMs: number): PriceJudgement {
  if (!price) return { status: 'missing' };
  const observedMs = Date.parse(price.observedAt);
  const reason = contradictionIn(price, observedMs, nowMs);
  if (reason !== null) return { status: 'refused', price, reason };
  const ageMs = Math.max(0, nowMs - observedMs);
  // The brands exist for the compiler alone: this is the one place that gives them.
  if (nowMs < freshUntilMs(price, observedMs)) return { status: 'fresh', price: price as FreshPrice, ageMs };
  return { status: 'stale', price: price as StalePrice, ageMs };
}

/** True while the provider holds to the price. A price that contradicts itself or the clock guarantees nothing. */
export const isGuaranteed = (price: HourlyPrice, nowMs: number): boolean =>
  price.guaranteedUntil !== undefined &&
  nowMs < Date.parse(price.guaranteedUntil) &&
  contradictionIn(price, Date.parse(price.observedAt), nowMs) === null;

/** A price that is held to is fresh for as long, whatever else was said of its lifetime. */
function freshUntilMs({ kind, staleAfter, guaranteedUntil }: HourlyPrice, observedMs: number): number {
  const lifetimeEndsMs = staleAfter === undefined ? observedMs + PRICE_LIFETIME_MS[kind] : Date.parse(staleAfter);
  return guaranteedUntil === undefined ? lifetimeEndsMs : Math.max(lifetimeEndsMs, Date.parse(guaranteedUntil));
}

function contradictionIn(price: HourlyPrice, observedMs: number, nowMs: number): string | null {
  const { amount, observedAt, staleAfter, guaranteedUntil, source } = price;
  if (Number.isNaN(observedMs)) return `its time of observation, "${observedAt}", is no instant`;
  if (observedMs > nowMs + CLOCK_SKEW_MS) return `it was observed at ${observedAt}, which has not come yet`;
  if (endsBefore(staleAfter, observedMs)) return lifeless('staleAfter', staleAfter, observedAt);
  if (endsBefore(guaranteedUntil, observedMs)) return lifeless('guaranteedUntil', guaranteedUntil, observedAt);
  if (!/[1-9]/.test(amount) && source !== OPERATOR_SOURCE) {
    return `${source} says ${amount}, and only the operator's own table may say that a machine costs nothing`;
  }
  return null;
}

/** Written so that an instant that cannot be read is refused as well. */
const endsBefore = (until: string | undefined, observedMs: number): until is string =>
  until !== undefined && !(Date.parse(until) >= observedMs);

const lifeless = (name: string, until: string, observedAt: string): string =>
  `its ${name}, ${until}, lies before its observation at ${observedAt}`;
