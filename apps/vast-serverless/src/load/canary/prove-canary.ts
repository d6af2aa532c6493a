import { type ContractPolicy, observeOutput, type OutputObservation } from '@davit/domain';
import { type Clock, sleep } from '@davit/ports';
import { join, doubtOf } from '../../vast/joined.js';
import { ask } from '../driver/send.js';
import type { LoadParts, LoadTarget } from '../load-parts.js';
import type { Prompt } from '../prompts/prompt.js';
import { judgeOutputs } from './judge-outputs.js';
import { type CanaryResult, failed } from './result.js';

export interface CanaryQuestion {
  readonly target: LoadTarget;
  readonly prompts: readonly [Prompt, ...Prompt[]];
  /** When the canary was asked for, milliseconds since 1970. */
  readonly requestedAtMs: number;
  /** By then it must have proved itself. */
  readonly deadlineAtMs: number;
  /** For each request, waiting for a worker included. */
  readonly requestDeadlineMs: number;
  readonly contract: ContractPolicy;
  readonly signal?: AbortSignal;
}

const GIVEN_UP: CanaryResult = { kind: 'aborted' };
const LOOK_MS = 5_000;

/**
 * Proves a candidate on its own endpoint: it loads, answers through the data path of real clients, keeps to the interface, and
 * answers representative prompts as recorded. The first step that fails ends it.
 */
export async function proveCanary(parts: LoadParts, question: CanaryQuestion): Promise<CanaryResult> {
  const { clock } = parts;
  const loaded = await untilLoaded(parts, question);
  if (question.signal?.aborted) return GIVEN_UP;
  if (typeof loaded === 'string') return failed('load', loaded);
  const loadMs = clock.nowMs() - question.requestedAtMs;
  const loadedMs = clock.monotonicMs();
  const ready = await untilAnswered(parts, question);
  if (question.signal?.aborted) return GIVEN_UP;
  if (ready !== null) return failed('readiness', ready);
  const readinessMs = clock.monotonicMs() - loadedMs;
  const observed = await observeAll(parts, question);
  if (question.signal?.aborted) return GIVEN_UP;
  return judgeOutputs(question, observed, { loadMs: Math.round(loadMs), readinessMs: Math.round(readinessMs) });
}

const leftMs = (clock: Clock, { deadlineAtMs }: CanaryQuestion): number => deadlineAtMs - clock.nowMs();

/** True when a worker has loaded, by the engine's word and its instance's; otherwise why not. */
async function untilLoaded({ clock, client }: LoadParts, question: CanaryQuestion): Promise<true | string> {
  let words = 'the engine never told its workers';
  while (!question.signal?.aborted && leftMs(clock, question) > 0) {
    const workers = await client.workers.ofEndpoint(question.target.endpointId);
    if (workers.kind === 'confirmed') {
      const instances = workers.value.length === 0 ? undefined : await client.instances.list();
      const joined = join(workers.value, instances?.kind === 'confirmed' ? instances.value : undefined);
      if (joined.some((worker) => doubtOf(worker) === null)) return true;
      words =
        joined.length === 0
          ? 'no worker ever came'
          : joined.map((worker) => `worker ${worker.id}: ${doubtOf(worker) ?? ''}`).join('; ');
    }
    await sleep(clock, Math.min(LOOK_MS, Math.max(0, leftMs(clock, question))), question.signal);
  }
  return `no worker had loaded by the deadline: ${words}`;
}

/** Null when a request was answered; otherwise what came instead. A request costs, so each takes its full time. */
async function untilAnswered(parts: LoadParts, question: CanaryQuestion): Promise<string | null> {
  const { clock } = parts;
  let words = 'there was no time left to ask';
  while (!question.signal?.aborted && leftMs(clock, question) > 0) {
    const deadlineMs = Math.min(question.requestDeadlineMs, leftMs(clock, question));
    const outcome = await ask(parts, question.target, question.prompts[0], deadlineMs, question.signal);
    if (outcome.kind === 'answered') return null;
    words = `the request was ${outcome.kind}${outcome.status === null ? '' : ` with ${outcome.status}`}`;
    // Neither a signature nor a key nor a request becomes right by itself.
    if (outcome.kind === 'unauthorised' || outcome.kind === 'invalid' || outcome.kind === 'refused') break;
    await sleep(clock, LOOK_MS, question.signal);
  }
  return `no request was answered through the data path: ${words}`;
}

async function observeAll(parts: LoadParts, question: CanaryQuestion): Promise<readonly OutputObservation[]> {
  const observed: OutputObservation[] = [];
  for (const prompt of question.prompts.filter(({ recorded }) => recorded !== null)) {
    const deadlineMs = Math.min(question.requestDeadlineMs, leftMs(parts.clock, question));
    if (deadlineMs <= 0 || question.signal?.aborted) break;
    const { body } = await ask(parts, question.target, prompt, deadlineMs, question.signal);
    if (body !== null) observed.push(observeOutput(prompt.id, body));
  }
  return observed;
}
