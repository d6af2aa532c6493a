import type { WindowSummary } from '@davit/contracts';
import { type LoadStep, samplesToWindows, type Window } from '@davit/domain';
import type { WorkerRow } from '../../vast/api/workers.js';
import type { LoadParts } from '../load-parts.js';
import { windowSummary, workersIn } from '../record/window-summary.js';
import { type LoadQuestion, type LoadRun, runLoad } from '../run-load.js';
import { spendBetween } from '../watch/spend.js';

export interface SteadyQuestion extends Omit<LoadQuestion, 'steps'> {
  readonly requestsPerSecond: number;
  readonly durationMs: number;
}

export interface BaselineQuestion extends SteadyQuestion {
  readonly windowMs: number;
}

export interface Baseline {
  /** For the bundle of a verdict. */
  readonly windows: readonly Window[];
  /** The same, for `rollout.baseline-recorded`. */
  readonly summaries: readonly WindowSummary[];
  readonly run: LoadRun;
}

/** How production serves at one rate, window by window. What was cut short holds the windows that were whole. */
export async function recordBaseline(parts: LoadParts, question: BaselineQuestion): Promise<Baseline> {
  const run = await runLoad(parts, { ...question, steps: steadySteps(question) });
  return { run, ...windowsOf(run, question) };
}

/** Any run, cut into windows. */
export function windowsOf(
  run: LoadRun,
  { windowMs, durationMs }: { readonly windowMs: number; readonly durationMs: number },
): Pick<Baseline, 'windows' | 'summaries'> {
  const { history, requests, startedAtMs } = run;
  // Requests of the last moments before a stop are not all accounted for.
  const wholeMs = run.stopped === null ? durationMs : Math.min(durationMs, run.endedAtMs - startedAtMs - windowMs);
  const span = { fromMs: startedAtMs, toMs: startedAtMs + Math.max(0, wholeMs), windowMs };
  const windows = samplesToWindows(requests, span, (fromMs) => ({
    workers: workersIn(history, fromMs + windowMs),
    spend: spendBetween(history.looks, fromMs, fromMs + windowMs),
  }));
  return { windows, summaries: windows.map((window) => windowSummary(requests, history, window)) };
}

export const steadySteps = (question: {
  readonly requestsPerSecond: number;
  readonly durationMs: number;
}): readonly [LoadStep] => [
  { ramp: 1, leg: 'peak', requestsPerSecond: question.requestsPerSecond, fromMs: 0, toMs: question.durationMs },
];

/**
 * Requests a second that an endpoint serves at present, by the load that its workers tell; null while one of them does not.
 *
 * @param meanUnits load units of one request, on average
 */
export function presentRate(workers: readonly Pick<WorkerRow, 'cur_load'>[], meanUnits: number): number | null {
  const loads = workers.map(({ cur_load }) => cur_load);
  if (!(meanUnits > 0) || loads.some((load) => typeof load !== 'number')) return null;
  return loads.reduce<number>((sum, load) => sum + (load ?? 0), 0) / meanUnits;
}
