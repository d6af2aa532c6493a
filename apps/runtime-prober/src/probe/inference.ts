import type { HttpClient, HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import type { Engine, ProbePhase } from '../engines/engine.js';
import { type Finding, finding, objection, printable } from './findings.js';
import { jsonOf } from './json.js';
import { MODEL_NAME_LENGTH } from './models.js';
import { type ProbeTarget, ask } from './target.js';

type Trial = {
  readonly path: string;
  readonly body: object;
  readonly answer: z.ZodType<{ readonly model?: string | undefined }>;
};

const named = { model: z.string().optional().catch(undefined) };
const choices = z.object({ ...named, choices: z.array(z.unknown()).min(1) });
const vectors = z.object({ ...named, data: z.array(z.unknown()).min(1) });

/** The smallest request of each kind a model may serve, the most usual first: a base model has no chat, an embedder neither. */
const trialsFor = (model: string): readonly Trial[] => [
  {
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1, temperature: 0, stream: false },
    answer: choices,
  },
  { path: '/v1/completions', body: { model, prompt: 'ping', max_tokens: 1, temperature: 0 }, answer: choices },
  { path: '/v1/embeddings', body: { model, input: 'ping' }, answer: vectors },
];

/** The server does not serve this kind of request; another kind may work. */
const OTHER_KIND: ReadonlySet<number> = new Set([400, 404, 405, 501]);

export type InferenceParts = {
  readonly http: HttpClient;
  readonly engine: Pick<Engine, 'answers' | 'answersByListedName'>;
  /** Names under which the model may answer, beside the one asked for. */
  readonly names: readonly string[];
  readonly phase: ProbePhase;
  readonly timeoutMs: number;
};

/** Whether the engine really computes: the listing and the health check are known to answer while it hangs (vllm issue 39863). */
export async function tryInference(target: ProbeTarget, parts: InferenceParts): Promise<Finding | undefined> {
  let first: Finding | undefined;
  for (const trial of trialsFor(target.expectedModel)) {
    const outcome = await ask(parts.http, target, {
      method: 'POST',
      path: trial.path,
      needsKey: true,
      body: JSON.stringify(trial.body),
      timeoutMs: parts.timeoutMs,
    });
    const failed = failure(outcome, trial, target.expectedModel, parts);
    if (!failed) return undefined;
    first ??= failed;
    if (outcome.kind === 'failure' || !OTHER_KIND.has(outcome.status)) return failed;
  }
  return first;
}

/** Reasons that say more than that the inference failed. */
const OWN_REASONS: ReadonlySet<Finding['reason']> = new Set([
  'refused',
  'unauthorised',
  'loading',
  'warming',
  'engine-dead',
]);

function failure(
  outcome: HttpOutcome,
  { path, answer }: Trial,
  model: string,
  { engine, names, phase, timeoutMs }: InferenceParts,
): Finding | undefined {
  const found = objection(outcome, { engine, phase, on: 'inference', path });
  if (!found)
    return outcome.kind === 'response' ? mistake(outcome.body, path, answer, [model, ...names], engine) : undefined;
  if (OWN_REASONS.has(found.reason)) return found;
  const detail = found.slow ? `${path}: no answer in ${timeoutMs} ms` : found.detail;
  return finding('inference-failed', detail, found.slow);
}

/** What is wrong with an answer that came: nothing of the model in it, or another model's name. */
function mistake(
  body: string,
  path: string,
  answer: Trial['answer'],
  names: readonly string[],
  { answersByListedName }: InferenceParts['engine'],
): Finding | undefined {
  const parsed = answer.safeParse(jsonOf(body));
  if (!parsed.success) return finding('inference-failed', `${path}: no answer of the model in the reply`);
  const { model } = parsed.data;
  if (!answersByListedName || model === undefined || model === '' || names.includes(model)) return undefined;
  return finding('model-mismatch', `${path}: ${printable(model, MODEL_NAME_LENGTH)} answered a request to ${names[0]}`);
}
