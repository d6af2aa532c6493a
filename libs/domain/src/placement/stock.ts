import type { StockSignal, StockState } from '@davit/contracts';
import { describeDuration } from './describe.js';
import type { StockView } from './ranking.js';

const isCurrent = (signal: StockSignal, nowMs: number): boolean => Date.parse(signal.expiresAt) > nowMs;

/** A signal past its lifetime says nothing any more. */
export function presentState(signal: StockSignal | undefined, nowMs: number): StockState {
  if (!signal || signal.state === 'unknown') return 'unknown';
  return isCurrent(signal, nowMs) ? signal.state : 'unknown';
}

export function stockViewOf(signal: StockSignal | undefined, nowMs: number): StockView {
  if (!signal) return { state: 'unknown', source: 'none', scope: 'none', observedAt: null, ageMs: null, detail: '' };
  const { source, scope, observedAt, detail } = signal;
  const ageMs = Math.max(0, nowMs - Date.parse(observedAt));
  const state = presentState(signal, nowMs);
  const expired = state === 'unknown' && signal.state !== 'unknown';
  return {
    state,
    source,
    scope,
    observedAt,
    ageMs,
    detail: expired ? `${signal.state} had been said, and its lifetime is over` : detail,
  };
}

const WORDS: Readonly<Record<StockState, string>> = {
  available: 'in stock',
  constrained: 'little stock, so that the launch may be refused',
  unavailable: 'no stock',
  unknown: 'stock unknown, which does not block',
};

/** `in stock, said by runpod-v2 4 s ago`. */
export function describeStock({ state, source, ageMs, detail }: StockView): string {
  if (ageMs === null) return `${WORDS[state]}: nobody was asked or answered`;
  const why = state === 'unknown' && detail !== '' ? ` (${detail})` : '';
  return `${WORDS[state]}${why}, said by ${source} ${describeDuration(ageMs)} ago`;
}
