import type { StockState } from '@davit/contracts';

/** RunPod's words for stock, upper case. A word that is not here is not guessed at: it is unknown. */
const STATE_OF_LEVEL: ReadonlyMap<string, StockState> = new Map([
  ['HIGH', 'available'],
  ['MEDIUM', 'available'],
  ['LOW', 'constrained'],
  ['NONE', 'unavailable'],
  ['', 'unavailable'],
]);

/** What a level says; null stands for no stock, and a word never seen for nothing (undefined). */
export const stateOfLevel = (level: string | null): StockState | undefined =>
  STATE_OF_LEVEL.get((level ?? '').toUpperCase());

export const STATE_WORDS: Readonly<Record<StockState, string>> = {
  available: 'in stock',
  constrained: 'little stock, a launch may fail',
  unavailable: 'no stock at present',
  unknown: 'not known',
};
