import type { StockState } from '@davit/contracts';
import type { Tone } from '../../words/states.js';

export const STOCK_TONES: Readonly<Record<StockState, Tone>> = {
  available: 'good',
  constrained: 'waiting',
  unavailable: 'bad',
  unknown: 'unknown',
};
