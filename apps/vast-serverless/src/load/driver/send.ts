import { type ServerlessOutcome, serverlessRequest } from '../../vast/data-path/serverless-request.js';
import type { LoadParts, LoadTarget } from '../load-parts.js';
import type { Prompt } from '../prompts/prompt.js';
import { judged, promptDigest, type RawRecord } from '../record/request-record.js';
import type { Due, Settled } from './open-loop.js';

/** Longest answer that is read. */
const MAX_BYTES = 4 * 1024 * 1024;

export interface SendQuestion {
  readonly target: LoadTarget;
  /** Taken in turn. */
  readonly prompts: readonly [Prompt, ...Prompt[]];
  /** For each request, from the instant at which it is due until its answer ends. */
  readonly deadlineMs: number;
}

/** One prompt, now, as a real client sends it. */
export function ask(
  parts: LoadParts,
  target: LoadTarget,
  { path, payload, cost }: Prompt,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<ServerlessOutcome> {
  const { http, clock, random, client, workerCa } = parts;
  return serverlessRequest(
    { http, clock, random, route: client.route, ...(workerCa === undefined ? {} : { ca: workerCa }) },
    {
      ...{ endpoint: target.endpointName, cost, path, deadlineMs, maxBytes: MAX_BYTES },
      payload: { model: target.servedName, ...payload },
      ...(signal === undefined ? {} : { signal }),
    },
  );
}

/** Sends what is due and keeps what it came to. A request whose time is over before it could be sent was not served. */
export function sender(
  parts: LoadParts,
  { target, prompts, deadlineMs }: SendQuestion,
): (due: Due, signal: AbortSignal) => Promise<Settled<RawRecord>> {
  const digests = prompts.map(promptDigest);
  return async ({ index, scheduledAtMs }, signal) => {
    const { clock } = parts;
    const at = index % prompts.length;
    const prompt = prompts[at] ?? prompts[0];
    const sentAtMs = clock.nowMs();
    const common = { prompt: digests[at] ?? '', scheduledAtMs, sentAtMs };
    const leftMs = deadlineMs - (sentAtMs - scheduledAtMs);
    if (leftMs <= 0) return { isOk: false, result: notSent(common) };
    const outcome = await ask(parts, target, prompt, leftMs, signal);
    const end = judged(outcome);
    const ended = { ...common, endedAtMs: clock.nowMs(), queueMs: outcome.queueMs, attempts: outcome.attempts };
    if (end === 'aborted') return { isOk: null, result: notSent(common) };
    return { isOk: end.outcome === 'ok', result: { ...ended, ...end } };
  };
}

const notSent = (common: Pick<RawRecord, 'prompt' | 'scheduledAtMs' | 'sentAtMs'>): RawRecord => ({
  ...common,
  endedAtMs: common.sentAtMs,
  queueMs: null,
  outcome: 'timeout',
  errorKind: 'not-sent',
  outputTokens: null,
  attempts: [],
});
