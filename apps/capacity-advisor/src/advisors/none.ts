import type { Clock } from '@davit/ports';
import { type StockAdvisor, adviceOf, unknownBecause } from './advisor.js';

/** For clouds that nobody can be asked about: says so, and blocks nothing. */
export const noAdvisor = (clock: Clock, lifetimeMs: number): StockAdvisor => ({
  source: 'none',
  advise: ({ cloud }) =>
    Promise.resolve(
      adviceOf(unknownBecause(`there is no stock advisor for ${cloud}`), 'none', clock.nowMs(), lifetimeMs),
    ),
});
