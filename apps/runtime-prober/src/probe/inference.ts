import type { HttpClient, HttpOutcome } from '@davit/ports';
import { z } from 'zod';
import { type Unready, objection, unready } from './findings.js';
import { type ProbeTarget, ask } from './target.js';

type Trial = { readonly path: string; readonly body: object; readonly answer: z.ZodType };

const choices = z.object({ choices: z.array(z.unknown()).min(1) });

/** The smallest request of each kind a model may serve, the most usual first: a base model has no chat, an embedder neither. */
const trialsFor = (model: string): readonly Trial[] => [
  {
    path: '/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1, temperature: 0, stream: false },
    answer: choices,
  },
  { path: '/v1/completions', body: { model, prompt: 'ping', max_tokens: 1, temperature: 0 }, answer: choices },
  { path: '/v1/embeddings', body: { model, input: 'ping' }, answer: z.object({ data: z.array(z.unknown()).min(1) }) },
];

/** The server does not serve this kind of request; another kind may work. */
const OTHER_KIND: ReadonlySet<number> = new Set([400, 404, 405, 501]);

/** Whether the engine really computes: the listing and the health check are known to answer while it hangs (vllm issue 39863). */
export async function tryInference(
  http: HttpClient,
  target: ProbeTarget,
  timeoutMs: number,
): Promise<Unready | undefined> {
  let finding: Unready | undefined;
  for (const { path, body, answer } of trialsFor(target.expectedModel)) {
    const outcome = await ask(http, target, {
      method: 'POST',
      path,
      needsKey: true,
      body: JSON.stringify(body),
      timeoutMs,
    });
    const failed = failure(outcome, path, answer, timeoutMs);
    if (!failed) return undefined;
    finding ??= failed;
    if (outcome.kind === 'failure' || !OTHER_KIND.has(outcome.status)) return failed;
  }
  return finding;
}

function failure(outcome: HttpOutcome, path: string, answer: z.ZodType, timeoutMs: number): Unready | undefined {
  const found = objection(outcome, path);
  if (!found)
    return outcome.kind === 'response' && holds(answer, outcome.body)
      ? undefined
      : unready('inference-failed', `${path}: no answer of the model in the reply`);
  if (found.reason === 'refused' || found.reason === 'unauthorised' || found.reason === 'loading') return found;
  const detail = found.reason === 'timeout' ? `${path}: no answer in ${timeoutMs} ms` : found.detail;
  return unready('inference-failed', detail);
}

function holds(answer: z.ZodType, body: string): boolean {
  try {
    return answer.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
