import type { DeploymentSpec } from '@davit/contracts';
import { type ProbeResult, type ServerFacts, contradiction } from '@davit/domain';
import type { Clock, HttpClient, HttpOutcome } from '@davit/ports';
import type { Engine, EnginePath, ProbePhase } from '../engines/engine.js';
import { askAbout, askSleep } from './about.js';
import { type Asked, type Finding, finding, objection, printable } from './findings.js';
import { tryInference } from './inference.js';
import { MODEL_NAME_LENGTH, factsIn, listedModels } from './models.js';
import { Signals, describeExchange } from './signals.js';
import { type ProbeTarget, ask } from './target.js';

export type ProbeTimeouts = {
  /** Of each check but the inference; an engine that needs longer for its health check gets it. */
  readonly checkMs: number;
  readonly inferenceMs: number;
};

export type ProbeParts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  /** The time of the log. */
  readonly nowMs: () => number;
  readonly timeouts: ProbeTimeouts;
};

/** What is looked for. */
export type ProbePlan = {
  readonly engine: Engine;
  readonly phase: ProbePhase;
  /** Whether the engine must show that it computes: at registration, and while anything has put it in doubt. */
  readonly infer: boolean;
  /** What the specification states of the server. */
  readonly stated?: Pick<DeploymentSpec, 'model' | 'runtime'>;
};

const MODELS_KEPT = 50;

/**
 * Looks at one server once: alive, serving exactly the expected model as it was stated and, when `infer` is set, awake and
 * computing. The model's name is compared exactly. No redirect is followed, and the key goes to the server itself only.
 */
export async function probe(target: ProbeTarget, plan: ProbePlan, parts: ProbeParts): Promise<ProbeResult> {
  const { engine, infer } = plan;
  const { clock, timeouts } = parts;
  const signals = new Signals(parts.nowMs);
  const failed = (found: Finding): ProbeResult => ({ outcome: 'unready', ...found, signals: signals.all() });

  const startedMs = clock.monotonicMs();
  if (engine.health) {
    const timeoutMs = Math.max(timeouts.checkMs, engine.health.minTimeoutMs);
    const { found } = await check('health', engine.health, timeoutMs, { target, plan, parts, signals });
    if (found) return failed(found);
  }
  const aliveMs = clock.monotonicMs();
  const listing = await check('models', engine.models, timeouts.checkMs, { target, plan, parts, signals });
  if (listing.found) return failed(listing.found);
  const cards = listing.outcome.kind === 'response' ? listedModels(listing.outcome.body) : undefined;
  if (!cards) return failed(finding('not-a-model-server', `${engine.models.path}: the answer is no list of models`));
  const expected = target.expectedModel;
  if (!cards.some(({ id }) => id === expected)) {
    const found = cards.slice(0, MODELS_KEPT).map(({ id }) => printable(id, MODEL_NAME_LENGTH));
    return { outcome: 'wrong-model', expected, found, signals: signals.all() };
  }
  const listedMs = clock.monotonicMs();
  const names = cards.flatMap(({ id, parent }) => (typeof parent === 'string' ? [] : [id]));
  const question = { http: parts.http, target, timeoutMs: timeouts.checkMs };
  let facts: ServerFacts = factsIn(cards, expected, engine);
  if (infer) facts = { ...(await askAbout(engine, question)), ...facts };
  const deviation = plan.stated && contradiction(plan.stated, facts);
  if (deviation !== undefined) return failed(finding('model-mismatch', deviation));

  if (infer && (await askSleep(engine, question)) === true) return failed(finding('asleep', 'it says that it sleeps'));
  const askedMs = clock.monotonicMs();
  if (infer) {
    const { http } = parts;
    const trial = await tryInference(target, {
      http,
      engine,
      names,
      phase: plan.phase,
      timeoutMs: timeouts.inferenceMs,
    });
    signals.note('inference', trial?.detail ?? `answered in ${Math.round(clock.monotonicMs() - askedMs)} ms`);
    if (trial) return failed(trial);
  }
  return {
    outcome: 'ready',
    servedModel: expected,
    healthMs: aliveMs - startedMs,
    modelsMs: listedMs - aliveMs,
    inferenceMs: infer ? clock.monotonicMs() - askedMs : null,
    ...facts,
    signals: signals.all(),
  };
}

type Look = {
  readonly target: ProbeTarget;
  readonly plan: ProbePlan;
  readonly parts: ProbeParts;
  readonly signals: Signals;
};

/** Asks on one path, notes what was said, and judges it. */
async function check(
  on: Extract<Asked['on'], 'health' | 'models'>,
  { path, needsKey }: EnginePath,
  timeoutMs: number,
  { target, plan: { engine, phase }, parts: { http, clock }, signals }: Look,
): Promise<{ readonly outcome: HttpOutcome; readonly found: Finding | undefined }> {
  const askedMs = clock.monotonicMs();
  const outcome = await ask(http, target, { method: 'GET', path, needsKey, timeoutMs });
  const found = objection(outcome, { engine, phase, on, path });
  signals.note(on, describeExchange(path, outcome, clock.monotonicMs() - askedMs));
  return { outcome, found };
}
