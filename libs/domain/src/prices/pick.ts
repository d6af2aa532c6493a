import type { HourlyPrice, Placement } from '@davit/contracts';
import { canonicalJson } from '../canonical.js';
import { compareAmounts } from '../money.js';
import { type FreshPrice, OPERATOR_SOURCE, type StalePrice, isGuaranteed, judgePrice } from './judge.js';
import { mismatchOf, wholeMachine } from './machine.js';

type Rejected = { readonly price: HourlyPrice; readonly reason: string };

export type PricePick = {
  /** The price that counts; null when none is fresh, which is unknown and never zero. */
  readonly picked: { readonly price: FreshPrice; readonly reason: string } | null;
  /** The best of those past their lifetime: to be shown, never to decide by. */
  readonly stale: { readonly price: StalePrice; readonly ageMs: number } | null;
  /** The others and why, in order of rank. */
  readonly rejected: readonly Rejected[];
};

const RANKS = ['operator', 'guaranteed-quote', 'quote', 'billed', 'catalogue'] as const;
type Rank = (typeof RANKS)[number];

const WORDS: Readonly<Record<Rank, string>> = {
  operator: "the operator's own table",
  'guaranteed-quote': 'a quote that is held to',
  quote: 'a quote',
  billed: 'what a machine of this offer is billed',
  catalogue: 'a list price',
};

/**
 * Which of several prices of one placement counts: the operator's own, then a quote that is held to, a quote, what is billed
 * for a machine of this offer, a list price; of one rank the latest, and of one moment the dearest. The answer depends on
 * neither order nor repetition of the prices.
 */
export function pickPrice(prices: readonly HourlyPrice[], placement: Placement, nowMs: number): PricePick {
  const distinct = new Map(prices.map((price) => [canonicalJson(price), price]));
  const ordered = [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, price]) => price);
  const fresh: FreshPrice[] = [];
  const stale: { readonly price: StalePrice; readonly ageMs: number }[] = [];
  const useless: Rejected[] = [];
  for (const price of ordered) {
    const judged = judgePrice(price, nowMs);
    const mismatch = mismatchOf(price, placement);
    if (mismatch !== null) useless.push({ price, reason: mismatch });
    else if (judged.status === 'refused') useless.push({ price, reason: judged.reason });
    else if (judged.status === 'stale') stale.push({ price: judged.price, ageMs: judged.ageMs });
    else if (judged.status === 'fresh') fresh.push(judged.price);
  }
  // Sorting is stable, so that what is equal in all that counts stays in the order of its text.
  const [best, ...others] = fresh.toSorted((a, b) => compare(a, b, placement, nowMs));
  stale.sort((a, b) => compare(a.price, b.price, placement, nowMs));
  return {
    picked: best ? { price: best, reason: WORDS[rankOf(best, nowMs)] } : null,
    stale: best ? null : (stale[0] ?? null),
    rejected: [
      ...(best ? others.map((price) => ({ price, reason: outranked(rankOf(price, nowMs), rankOf(best, nowMs)) })) : []),
      ...stale.map(({ price, ageMs }) => ({
        price,
        reason: `it is ${Math.floor(ageMs / 1_000)} s old, past its lifetime`,
      })),
      ...useless,
    ],
  };
}

function rankOf(price: HourlyPrice, nowMs: number): Rank {
  if (price.source === OPERATOR_SOURCE) return 'operator';
  switch (price.kind) {
    case 'quoted':
      return isGuaranteed(price, nowMs) ? 'guaranteed-quote' : 'quote';
    case 'billed':
      return 'billed';
    case 'catalogue':
      return 'catalogue';
  }
}

const outranked = (rank: Rank, by: Rank): string =>
  rank === by
    ? `another price of its kind, ${WORDS[by]}, is later or dearer`
    : `${WORDS[by]} counts before ${WORDS[rank]}`;

function compare(a: HourlyPrice, b: HourlyPrice, placement: Placement, nowMs: number): number {
  return (
    RANKS.indexOf(rankOf(a, nowMs)) - RANKS.indexOf(rankOf(b, nowMs)) ||
    Date.parse(b.observedAt) - Date.parse(a.observedAt) ||
    compareAmounts(wholeMachine(b, placement), wholeMachine(a, placement))
  );
}
