import type { WindowSummary } from '@davit/contracts';
import { digestOf, dueTimes, type LoadStep, type Money } from '@davit/domain';
import { sleep } from '@davit/ports';
import { unlessAborted } from './driver/aborted.js';
import { openLoop } from './driver/open-loop.js';
import { sender, type SendQuestion } from './driver/send.js';
import { type LoadStop, type StopRules, StopSwitch } from './driver/stop.js';
import type { LoadParts } from './load-parts.js';
import { recordOf, type RequestRecord } from './record/request-record.js';
import { windowSummary } from './record/window-summary.js';
import type { History } from './watch/history.js';
import { chargedTo } from './watch/spend.js';
import { type WatchQuestion, WorkerWatch } from './watch/worker-watch.js';

export interface LoadQuestion extends SendQuestion, StopRules {
  /** Steps in a row, the first from 0 ms on. */
  readonly steps: readonly LoadStep[];
  /** When the first step begins, milliseconds since 1970. Default: as soon as the workers were looked at. */
  readonly startAtMs?: number;
  /** Requests that may be under way at once. Default 256. */
  readonly maxInFlight?: number;
  readonly watch?: Omit<WatchQuestion, 'endpointId'>;
  /** Evenly spaced arrivals, or at random as of many clients that know nothing of each other. Default `random`. */
  readonly arrivals?: 'even' | 'random';
  /** Ends the load in good order. */
  readonly finish?: AbortSignal;
}

/** One step of the profile as it went. A step that the load never reached is left out. */
export interface StepRecord {
  readonly step: LoadStep;
  readonly window: WindowSummary;
}

/** All that a load showed. Holds no key, no signature and no text: prompts stand in it as digests. */
export interface LoadRun {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly steps: readonly StepRecord[];
  /** Every request that came to an end, in the order in which they were due. */
  readonly requests: readonly RequestRecord[];
  /** Sent, and given up when the load was stopped. */
  readonly unfinished: number;
  /** Due, and not sent when the load was stopped. */
  readonly unsent: number;
  readonly stopped: LoadStop | null;
  readonly spend: {
    /** By the prices of the workers, from the start to the end; null while one of them is not known. */
    readonly estimated: Money | null;
    /** By the provider's charges; null where it has none yet. */
    readonly charged: Money | null;
  };
  readonly history: History;
  /** SHA-256 of steps, requests and spend. */
  readonly digest: string;
}

const MAX_IN_FLIGHT = 256;
const FIRST_LOOK_MS = 10_000;

/** Sends load by a profile through the data path of real clients, and watches the workers meanwhile. */
export async function runLoad(parts: LoadParts, question: LoadQuestion): Promise<LoadRun> {
  const { clock, logger } = parts;
  const watch = new WorkerWatch(parts, { endpointId: question.target.endpointId, ...question.watch });
  const stop = new StopSwitch(clock, question, () => watch.spent());
  const ended = new AbortController();
  const watching = [watch.run(ended.signal), stop.watch()];
  const { startAtMs } = question;
  await firstLook(parts, watch, stop, startAtMs);
  const end = await openLoop({
    ...{ clock, stop, maxInFlight: question.maxInFlight ?? MAX_IN_FLIGHT, send: sender(parts, question) },
    due: dueTimes(question.steps, question.arrivals === 'even' ? undefined : () => parts.random.next()),
    lengthMs: question.steps.at(-1)?.toMs ?? 0,
    ...(startAtMs === undefined ? {} : { startAtMs }),
    ...(question.finish === undefined ? {} : { finish: question.finish }),
  }).finally(() => {
    ended.abort();
    stop.close();
  });
  await Promise.all(watching);
  // Spend and workers of the last step need a look after it; who stops at once does not wait for one.
  if (end.stopped === null || end.stopped.reason === 'cap-requests') await watch.look();
  const { history } = watch;
  const requests = end.results
    .toSorted((a, b) => a.scheduledAtMs - b.scheduledAtMs)
    .map((raw) => recordOf(raw, history));
  const steps = stepsOf(question.steps, requests, history, end);
  const estimated = watch.spent().spend;
  const charged = end.stopped === null ? await chargedIn(parts, question, end) : null;
  logger.info(
    { endpoint: question.target.endpointId, sent: requests.length, stopped: end.stopped?.reason ?? null },
    'load has ended',
  );
  const { startedAtMs, endedAtMs, unfinished, unsent, stopped } = end;
  const spend = { estimated, charged };
  const digest = digestOf({ steps, requests, unfinished, unsent, spend });
  return { startedAtMs, endedAtMs, steps, requests, unfinished, unsent, stopped, spend, history, digest };
}

/** What the first step costs is known only from before it; whoever does not get an answer in time begins without. */
async function firstLook(
  { clock }: LoadParts,
  watch: WorkerWatch,
  { signal }: StopSwitch,
  startAtMs = Infinity,
): Promise<void> {
  const waited = new AbortController();
  const waitMs = Math.max(0, Math.min(FIRST_LOOK_MS, startAtMs - clock.nowMs()));
  await unlessAborted(signal, Promise.race([watch.look(), sleep(clock, waitMs, waited.signal)]));
  waited.abort();
}

function stepsOf(
  steps: readonly LoadStep[],
  requests: readonly RequestRecord[],
  history: History,
  { startedAtMs, endedAtMs }: { readonly startedAtMs: number; readonly endedAtMs: number },
): readonly StepRecord[] {
  return steps
    .filter(({ fromMs }) => startedAtMs + fromMs < endedAtMs)
    .map((step) => {
      // Whole milliseconds, as windows are told in: whoever counts again from what is told must find the same requests in each.
      const [fromMs, toMs] = [startedAtMs + step.fromMs, Math.min(startedAtMs + step.toMs, endedAtMs)].map(Math.floor);
      const span = { fromMs: fromMs ?? 0, toMs: toMs ?? 0 };
      return { step, window: windowSummary(requests, history, span) };
    });
}

async function chargedIn(
  { client }: LoadParts,
  { target }: LoadQuestion,
  { startedAtMs, endedAtMs }: { readonly startedAtMs: number; readonly endedAtMs: number },
): Promise<Money | null> {
  const reply = await client.charges.serverless(startedAtMs, endedAtMs);
  return reply.kind === 'confirmed' ? chargedTo(reply.value, target.endpointId) : null;
}
