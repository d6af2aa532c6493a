import type { DeploymentSpec } from '@davit/contracts';
import type { ProbeResult, ReplicaState } from '@davit/domain';
import type { Clock, HttpClient, Random } from '@davit/ports';
import type { Engine } from '../engines/engine.js';
import { facadeOf } from '../engines/registry.js';
import { describeReading } from '../load/describe.js';
import { watchForHang } from '../load/hang.js';
import { fetchLoad } from '../load/read.js';
import type { LoadReading } from '../metrics/load.js';
import { finding } from '../probe/findings.js';
import { tryInference } from '../probe/inference.js';
import { probe } from '../probe/probe.js';
import { Signals } from '../probe/signals.js';
import type { ProbeTarget } from '../probe/target.js';
import type { ProberSettings } from '../settings.js';
import type { ReplicaMemory } from './memory.js';

export type WatchParts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ProberSettings;
};

export type Sight = {
  readonly result: ProbeResult;
  readonly reading: LoadReading | null;
  /** Its counters moved since the reading before. */
  readonly progressed: boolean;
};

type Subject = {
  readonly replica: ReplicaState;
  readonly spec: DeploymentSpec;
  readonly target: ProbeTarget;
  readonly memory: ReplicaMemory;
  /** The time of the log. */
  readonly nowMs: () => number;
};

/** Looks at one server once, and keeps what must be remembered of it. */
export async function look(subject: Subject, parts: WatchParts): Promise<Sight> {
  const { replica, spec, target, memory, nowMs } = subject;
  const { http, clock, settings } = parts;
  const engine = facadeOf(spec);
  const timeouts = { checkMs: settings.checkTimeoutMs, inferenceMs: settings.inferenceTimeoutMs };
  const infer = !memory.proven;
  const phase = replica.everReady ? 'steady' : 'start';
  const startedMs = clock.monotonicMs();
  // Of one that kept silent last time the counters are asked for at once: its silence then takes one time-out and not two.
  const wasSilent = replica.everReady && memory.reason === 'timeout';
  const early = engine.metrics && wasSilent ? readLoad(engine, subject, parts) : undefined;
  const result = await probe(target, { engine, phase, infer, stated: spec }, { http, clock, nowMs, timeouts });
  memory.slow = isSlow(result, clock.monotonicMs() - startedMs, settings.slowMs);
  if (result.signals.some(({ source }) => source === 'inference')) memory.inferenceAtMs = nowMs();
  memory.proven = stillProven(result, memory.proven);

  const isSlowFailure = result.outcome === 'unready' && result.slow && replica.everReady;
  const readDueMs = memory.loadReadMs + (replica.status === 'draining' ? 0 : settings.loadReadMs);
  const isDue = result.outcome === 'ready' && clock.monotonicMs() >= readDueMs;
  if (!engine.metrics || !(early || isDue || isSlowFailure)) return { result, reading: null, progressed: false };
  return judgeReading(result, await (early ?? readLoad(engine, subject, parts)), engine, subject, parts);
}

function readLoad(engine: Engine, { target, memory }: Subject, parts: WatchParts): Promise<LoadReading> {
  memory.loadReadMs = parts.clock.monotonicMs();
  return fetchLoad(engine, target, parts.http, parts.settings.checkTimeoutMs);
}

/** Holds what the metrics say against what the probe found. */
async function judgeReading(
  result: ProbeResult,
  reading: LoadReading,
  engine: Engine,
  subject: Subject,
  parts: WatchParts,
): Promise<Sight> {
  const { memory, nowMs } = subject;
  const { clock, settings } = parts;
  const progressed = reading.progress !== null && memory.progress !== null && reading.progress !== memory.progress;
  memory.progress = reading.progress ?? memory.progress;
  memory.hang = watchForHang(memory.hang, reading, clock.monotonicMs());
  const stillForMs = memory.hang ? clock.monotonicMs() - memory.hang.sinceMs : 0;
  const signals = new Signals(nowMs, result.signals);
  signals.note('metrics', describeReading(reading, stillForMs));
  const heard = { ...result, signals: signals.all() };

  const sleeping = Object.entries(reading.whole?.sleep ?? {}).filter(([, state]) => state !== 'awake');
  if (sleeping.length > 0 && result.outcome !== 'wrong-model') {
    memory.proven = false;
    const detail = `its metrics say that it sleeps (${[...new Set(sleeping.map(([, state]) => state))].join(', ')})`;
    return {
      result: { outcome: 'unready', ...finding('asleep', detail), signals: signals.all() },
      reading,
      progressed,
    };
  }
  if (stillForMs < settings.hangMs) return { result: heard, reading, progressed };
  return { result: await judgeHang(heard, stillForMs, engine, signals, subject, parts), reading, progressed };
}

/** An inference takes as long as it takes; what counts is how soon the checks before it were answered. */
function isSlow(result: ProbeResult, tookMs: number, slowMs: number): boolean {
  if (result.outcome === 'unready' && result.slow) return true;
  return (result.outcome === 'ready' ? result.healthMs + result.modelsMs : tookMs) > slowMs;
}

/** Doubt calls for an inference before the server counts as ready again. Slowness alone is no doubt. */
function stillProven(result: ProbeResult, before: boolean): boolean {
  if (result.outcome === 'ready') return true;
  if (result.outcome === 'wrong-model') return false;
  return before && (result.reason === 'timeout' || result.reason === 'loading');
}

/** Still counters are a suspicion, whatever the health check says; an inference that fails as well makes it a finding. */
async function judgeHang(
  result: ProbeResult,
  stillForMs: number,
  engine: Engine,
  signals: Signals,
  { target, memory, nowMs }: Subject,
  { http, settings }: WatchParts,
): Promise<ProbeResult> {
  const timeoutMs = settings.inferenceTimeoutMs;
  // Whose answer it is was settled by the probe.
  const asked = { answers: engine.answers, answersByListedName: false };
  const failed = await tryInference(target, { http, engine: asked, names: [], phase: 'steady', timeoutMs });
  memory.hang = null;
  memory.inferenceAtMs = nowMs();
  if (!failed) return result;
  memory.proven = false;
  signals.note('inference', failed.detail);
  const still = `${Math.round(stillForMs / 1_000)} s with requests inside and no counter moving`;
  return { outcome: 'unready', ...finding('hung', `${still}; ${failed.detail}`), signals: signals.all() };
}
