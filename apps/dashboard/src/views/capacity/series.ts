import type { CapacityEntry, StockState } from '@davit/contracts';
import { chartValue } from '../../format/chart-value.js';

export interface PricePoint {
  readonly atMs: number;
  readonly quoted: number | null;
  readonly catalogue: number | null;
  readonly billed: number | null;
}

/** What each kind of price was, whenever one was said; a kind keeps its last value until the end. */
export function pricePoints(entries: readonly CapacityEntry[], endMs: number): readonly PricePoint[] {
  const last = { quoted: null, catalogue: null, billed: null } as Record<
    'quoted' | 'catalogue' | 'billed',
    number | null
  >;
  const points: PricePoint[] = [];
  for (const entry of entries) {
    const price = 'price' in entry ? entry.price : null;
    if (price === null) continue;
    last[price.kind] = chartValue(price.amount);
    points.push({ atMs: Date.parse(entry.time), ...last });
  }
  return points.length === 0 ? [] : [...points, { atMs: endMs, ...last }];
}

export interface StockSpan {
  readonly state: StockState;
  readonly fromMs: number;
  readonly toMs: number;
}

/** In which state stock was said to be from when to when; what ran out is unknown. */
export function stockSpans(entries: readonly CapacityEntry[], endMs: number): readonly StockSpan[] {
  const spans: StockSpan[] = [];
  for (const entry of entries) {
    const state = entry.kind === 'signal' ? entry.state : entry.kind === 'unknown' ? 'unknown' : undefined;
    if (state === undefined) continue;
    const fromMs = Date.parse(entry.time);
    const before = spans.at(-1);
    if (before?.state === state) continue;
    if (before) spans[spans.length - 1] = { ...before, toMs: fromMs };
    spans.push({ state, fromMs, toMs: endMs });
  }
  return spans;
}
