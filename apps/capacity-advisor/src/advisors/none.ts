import type { Clock } from '@davit/ports';
import { type StockAdvisor, adviceOf, unknownBecause } from './advisor.js';

/** For clouds that nobody can be asked about: says so, and blocks nothing. */
export const noAdvisor = (clock: Clock, lifetimeMs: number): StockAdvisor => ({
  source: 'none',
  exchangeOf: () => null,
  advise(question) {
    const verdict = unknownBecause(`there is no stock advisor for ${question.placement.cloud}`);
    return Promise.resolve(adviceOf(verdict, question, { source: 'none', observedAtMs: clock.nowMs(), lifetimeMs }));
  },
});
