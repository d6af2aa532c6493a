import { type Direction, alternativesTo, isTestable, logAddExp, logMeanExp, logOf } from './mixture.js';

/** Of `of` observations in one window, `count` counted against the candidate. */
export type Count = { readonly count: number; readonly of: number };

export type Question = {
  /** The rate that is in question. */
  readonly limit: number;
  /** Logarithm of the evidence that one window may contribute at most. */
  readonly mostOfOneWindow: number;
};

/** What each window says for each alternative; what is cut off at the top is still a supermartingale. */
function stepsOf(counts: readonly Count[], question: Question, direction: Direction): readonly (readonly number[])[] {
  const alternatives = alternativesTo(question.limit, direction);
  return counts.map(({ count, of }) =>
    alternatives.map((alternative) => Math.min(logOf(alternative, count, of), question.mostOfOneWindow)),
  );
}

/** Logarithm of the evidence that the rate lies below the limit, from the windows of `from` (inclusive) to `to` (exclusive). */
export type Support = (from: number, to: number) => number;

/** Counted once, so that any stretch of windows can be asked for. */
export function supportOf(counts: readonly Count[], question: Question): Support {
  if (!isTestable(question.limit)) return () => -Infinity;
  const sums = [alternativesTo(question.limit, 'below').map(() => 0)];
  for (const step of stepsOf(counts, question, 'below')) {
    sums.push((sums.at(-1) ?? []).map((sum, at) => sum + (step[at] ?? 0)));
  }
  return (from, to) => {
    const [before, after] = [sums[from], sums[to]];
    if (before === undefined || after === undefined || to <= from) return -Infinity;
    return logMeanExp(after.map((sum, at) => sum - (before[at] ?? 0)));
  };
}

export type Regression = {
  /** Logarithm of the greatest evidence there ever was that the rate lies above the limit since some window. */
  readonly peak: number;
  /** The window after which it was greatest; -1 without windows. */
  readonly peakAt: number;
  /** The same at the end, for the window that speaks loudest for it and without the price of having searched for it. */
  readonly suspicion: number;
};

export const NO_REGRESSION: Regression = { peak: -Infinity, peakAt: -1, suspicion: -Infinity };

/** Logarithm of the stake on a change at this window: 1 / ((n + 1) (n + 2)), which adds up to 1. */
const stakeOf = (index: number): number => -Math.log((index + 1) * (index + 2));

/**
 * Evidence that the rate lies above the limit from some window on, whichever it is. The stake is spread over the windows before
 * anything is seen, so that the sum of the processes that start at each is a supermartingale with its start at 1 and the bound of
 * Ville holds for it as a whole: an e-detector with a stated chance of a false alarm
 * (Shin, Ramdas, Rinaldo 2024, doi:10.51387/23-NEJSDS51; the sum of Shiryaev and Roberts, the maximum of Page 1954).
 *
 * @returns what it has come to after each window
 */
export function regressionsOf(counts: readonly Count[], question: Question): readonly Regression[] {
  if (!isTestable(question.limit)) return certain(counts, question.limit);
  const none = alternativesTo(question.limit, 'above').map(() => -Infinity);
  let state = { sums: none, highest: none, ...NO_REGRESSION };
  return stepsOf(counts, question, 'above').map((step, index) => {
    const sums = state.sums.map((sum, at) => logAddExp(sum, stakeOf(index)) + (step[at] ?? 0));
    const highest = state.highest.map((log, at) => Math.max(log, 0) + (step[at] ?? 0));
    // What is not staked yet stays in hand: 1 less the stakes so far.
    const now = logAddExp(logMeanExp(sums), -Math.log(index + 2));
    const peak = now > state.peak ? { peak: now, peakAt: index } : { peak: state.peak, peakAt: state.peakAt };
    state = { sums, highest, ...peak, suspicion: logMeanExp(highest) };
    return { ...peak, suspicion: state.suspicion };
  });
}

/** Where nothing may count, the first that does is proof; where all may, nothing ever is. */
function certain(counts: readonly Count[], limit: number): readonly Regression[] {
  const at = limit <= 0 ? counts.findIndex(({ count }) => count > 0) : -1;
  const proven: Regression = { peak: Infinity, peakAt: at, suspicion: Infinity };
  return counts.map((_, index) => (at !== -1 && index >= at ? proven : NO_REGRESSION));
}
