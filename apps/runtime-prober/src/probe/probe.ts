import type { ProbeResult } from '@davit/domain';
import type { Clock, HttpClient } from '@davit/ports';
import type { Engine } from '../engines/engine.js';
import { objection, printable, unready } from './findings.js';
import { tryInference } from './inference.js';
import { listedModels } from './models.js';
import { type ProbeTarget, ask } from './target.js';

export type ProbeTimeouts = {
  /** A saturated server answers its health check in seconds; shorter limits flap (llm-d-benchmark pull 1734). */
  readonly checkMs: number;
  readonly inferenceMs: number;
};

export const DEFAULT_TIMEOUTS: ProbeTimeouts = { checkMs: 5_000, inferenceMs: 20_000 };

export type ProbeParts = { readonly http: HttpClient; readonly clock: Clock; readonly timeouts: ProbeTimeouts };

const MODELS_KEPT = 50;
const MODEL_NAME_LENGTH = 200;

/**
 * Looks at one server once: alive, serving exactly the expected model, and, when `infer` is set, computing. The model's name
 * is compared exactly; nothing else a server says of itself counts.
 */
export async function probe(
  engine: Engine,
  target: ProbeTarget,
  infer: boolean,
  { http, clock, timeouts }: ProbeParts,
): Promise<ProbeResult> {
  const startedMs = clock.monotonicMs();
  if (engine.health) {
    const { path, needsKey } = engine.health;
    const found = objection(
      await ask(http, target, { method: 'GET', path, needsKey, timeoutMs: timeouts.checkMs }),
      path,
    );
    if (found) return found;
  }
  const aliveMs = clock.monotonicMs();
  const { path, needsKey } = engine.models;
  const listing = await ask(http, target, { method: 'GET', path, needsKey, timeoutMs: timeouts.checkMs });
  const found = objection(listing, path);
  if (found) return found;
  const models = listing.kind === 'response' ? listedModels(listing.body) : undefined;
  if (!models) return unready('not-a-model-server', `${path}: the answer is no list of models`);
  const expected = target.expectedModel;
  if (!models.includes(expected)) {
    return {
      outcome: 'wrong-model',
      expected,
      found: models.slice(0, MODELS_KEPT).map((id) => printable(id, MODEL_NAME_LENGTH)),
    };
  }
  const listedMs = clock.monotonicMs();
  if (infer) {
    const failed = await tryInference(http, target, timeouts.inferenceMs);
    if (failed) return failed;
  }
  return {
    outcome: 'ready',
    servedModel: expected,
    healthMs: aliveMs - startedMs,
    modelsMs: listedMs - aliveMs,
    inferenceMs: infer ? clock.monotonicMs() - listedMs : null,
  };
}
