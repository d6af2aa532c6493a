import type { EvidencePolicy, WindowSummary } from '@davit/contracts';
import { type LoadSample, samplesToWindows, type Window, windowFigures } from '@davit/domain';
import { isoTime, sleep } from '@davit/ports';
import type { Prompt } from '../../load/prompts/prompt.js';
import type { LoadParts, LoadTarget } from '../../load/load-parts.js';
import { named } from '../../load/record/window-summary.js';
import { runLoad } from '../../load/run-load.js';
import type { WatchQuestion } from '../../load/watch/worker-watch.js';
import type { Ordered } from '../jobs/jobs.js';
import type { RolloutPace } from '../pace.js';

/** One stretch of time of production, as requests of our own saw it. */
export interface Sampled {
  readonly fromMs: number;
  readonly toMs: number;
  /** Null where requests were given up, so that nothing can be said of it. */
  readonly window: Window | null;
  /** Requests that failed, by kind. */
  readonly errors: WindowSummary['errors'];
  readonly samples: readonly LoadSample[];
}

/** What was seen so far, in order of time. */
export interface SampleBook {
  readonly sampled: Sampled[];
}

export interface SamplePlan {
  readonly requestsPerSecond: number;
  readonly windowMs: number;
  /** Windows that give the samples that are asked for, and a fifth more. */
  readonly windows: number;
}

const MOST_WINDOW_MS = 60_000;
const LEAST_WINDOWS = 8;
/** So many requests in the last third of the time prove a 95th percentile (docs/explanation/verdicts.md); fewer never could. */
const PROVING_SAMPLES = 200;

/**
 * How production is sampled: so that the least number of samples, and what proves a 95th percentile, is there in a third of the time that
 * there is for a verdict, by no more than what is expected of it anyway.
 */
export function samplePlan({ acceptance, load }: EvidencePolicy): SamplePlan {
  const { minimumSamples, deadlineMs } = acceptance;
  const requestsPerSecond = Math.min(
    load.requestsPerSecond,
    (4 * Math.max(minimumSamples, PROVING_SAMPLES)) / (deadlineMs / 1_000),
  );
  const windowMs = Math.max(1_000, Math.min(MOST_WINDOW_MS, Math.floor(deadlineMs / 60)));
  const needed = Math.ceil((1.2 * minimumSamples) / ((requestsPerSecond * windowMs) / 1_000));
  return { requestsPerSecond, windowMs, windows: Math.max(LEAST_WINDOWS, needed) };
}

export interface SampleQuestion extends SamplePlan {
  readonly target: LoadTarget;
  readonly prompts: readonly [Prompt, ...Prompt[]];
  readonly revisionOf?: WatchQuestion['revisionOf'];
}

/** What production costs is not this load's to cap; the bounds of the endpoint do that. */
const UNCAPPED = { maxSpend: { amount: '1000000', currency: 'USD' }, maxDurationMs: Number.MAX_SAFE_INTEGER };

export interface SampleParts extends LoadParts {
  readonly pace: Pick<RolloutPace, 'lookMs' | 'requestDeadlineMs'>;
}

/** A window is begun so long before it: its workers are looked at first. */
const LEAD_MS = 5_000;

/**
 * Sends requests window after window, until so many windows are over or it is told to end. The windows touch one another, so that no
 * time stays unseen; one that could not be begun in time is left out, since its requests would have waited for nobody but this process.
 */
export async function sample(
  parts: SampleParts,
  question: SampleQuestion,
  book: SampleBook,
  ordered: Ordered,
): Promise<null> {
  const { clock } = parts;
  const { windowMs, windows } = question;
  const leadMs = Math.min(LEAD_MS, windowMs);
  const zeroMs = clock.nowMs() + leadMs;
  const running: Promise<void>[] = [];
  for (let next = 0; running.length < windows; next++) {
    await sleep(clock, zeroMs + next * windowMs - leadMs - clock.nowMs());
    if ((await ordered()) !== null) break;
    next = Math.max(next, Math.ceil((clock.nowMs() - zeroMs) / windowMs));
    running.push(
      oneWindow(parts, question, zeroMs + next * windowMs, ordered).then((sampled) => {
        book.sampled.push(sampled);
        book.sampled.sort((a, b) => a.fromMs - b.fromMs);
      }),
    );
  }
  await Promise.all(running);
  return null;
}

async function oneWindow(
  parts: SampleParts,
  question: SampleQuestion,
  startAtMs: number,
  ordered: Ordered,
): Promise<Sampled> {
  const { target, prompts, requestsPerSecond, windowMs, revisionOf } = question;
  const step = { ramp: 1, leg: 'peak', requestsPerSecond, fromMs: 0, toMs: windowMs } as const;
  const run = await runLoad(parts, {
    ...{ target, prompts, steps: [step], startAtMs, ordered, arrivals: 'even' },
    caps: { ...UNCAPPED, maxRequests: Math.ceil((requestsPerSecond * windowMs) / 1_000) + 1 },
    deadlineMs: parts.pace.requestDeadlineMs,
    mostFailuresInARow: Infinity,
    watch: { everyMs: Math.min(windowMs, parts.pace.lookMs), ...(revisionOf ? { revisionOf } : {}) },
  });
  const [fromMs, toMs] = [run.startedAtMs, run.startedAtMs + windowMs];
  const { workers, spend, errors } = run.steps[0]?.window ?? { workers: {}, spend: null, errors: {} };
  const [window] = samplesToWindows(run.requests, { fromMs, toMs, windowMs }, () => ({ workers, spend }));
  const isWhole = run.stopped === null && run.unfinished === 0 && run.unsent === 0;
  return { fromMs, toMs, errors, samples: run.requests, window: isWhole && window ? window : null };
}

/** What was seen of each window, as the event of a baseline tells it: all but the kinds of errors can be counted again from the windows. */
export const summariesOf = (sampled: readonly Sampled[]): readonly WindowSummary[] =>
  sampled.flatMap(({ window, errors }) => {
    const figures = window === null ? undefined : windowFigures(window);
    if (!window || !figures) return [];
    const { latencyMs, queueMs, sent, ok } = figures;
    const { fromMs, toMs, workers, spend } = window;
    return [
      {
        ...{ from: isoTime(fromMs), to: isoTime(toMs), sent, ok, errors, workers, spend },
        ...{ latency: named(latencyMs), queueTime: named(queueMs) },
      },
    ];
  });
