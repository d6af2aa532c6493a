import type { DeploymentSpec } from '@davit/contracts';
import type { ProbeResult, ReplicaState } from '@davit/domain';
import { type Clock, type HttpClient, type Random, jitter } from '@davit/ports';
import { facadeOf } from '../engines/registry.js';
import { watchForHang } from '../load/hang.js';
import { fetchLoad } from '../load/read.js';
import type { LoadReading } from '../metrics/load.js';
import { unready } from '../probe/findings.js';
import { tryInference } from '../probe/inference.js';
import { probe } from '../probe/probe.js';
import type { ProbeTarget } from '../probe/target.js';
import type { ProberSettings } from '../settings.js';
import type { ReplicaMemory } from './memory.js';

export type WatchParts = {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: ProberSettings;
};

export type Sight = { readonly result: ProbeResult; readonly reading: LoadReading | null };

/** Looks at one server once, and keeps what must be remembered of it. */
export async function look(
  replica: ReplicaState,
  spec: DeploymentSpec,
  target: ProbeTarget,
  memory: ReplicaMemory,
  parts: WatchParts,
): Promise<Sight> {
  const { http, clock, settings } = parts;
  const engine = facadeOf(spec);
  const timeouts = { checkMs: settings.checkTimeoutMs, inferenceMs: settings.inferenceTimeoutMs };
  const result = await probe(engine, target, !memory.proven, { http, clock, timeouts });
  memory.proven = stillProven(result, memory.proven);
  const readDueMs = memory.loadReadMs + (replica.status === 'draining' ? 0 : settings.loadReadMs);
  if (result.outcome !== 'ready' || !engine.metrics || clock.monotonicMs() < readDueMs)
    return { result, reading: null };

  memory.loadReadMs = clock.monotonicMs();
  const reading = await fetchLoad(engine, target, http, settings.checkTimeoutMs);
  memory.hang = watchForHang(memory.hang, reading, clock.monotonicMs());
  const stillForMs = memory.hang ? clock.monotonicMs() - memory.hang.sinceMs : 0;
  if (stillForMs < settings.hangMs) return { result, reading };
  return { result: await judgeHang(result, target, stillForMs, memory, parts), reading };
}

/** Doubt calls for an inference before the server counts as ready again. Slowness alone is no doubt. */
function stillProven(result: ProbeResult, before: boolean): boolean {
  if (result.outcome === 'ready') return true;
  if (result.outcome === 'wrong-model') return false;
  return before && (result.reason === 'timeout' || result.reason === 'loading');
}

/** Still counters are a suspicion; an inference that fails as well makes it a finding. */
async function judgeHang(
  result: ProbeResult,
  target: ProbeTarget,
  stillForMs: number,
  memory: ReplicaMemory,
  { http, settings }: WatchParts,
): Promise<ProbeResult> {
  const failed = await tryInference(http, target, settings.inferenceTimeoutMs);
  memory.hang = null;
  if (!failed) return result;
  memory.proven = false;
  const still = `${Math.round(stillForMs / 1_000)} s with requests inside and no counter moving`;
  return unready('hung', `${still}; ${failed.detail}`);
}

/** When to look again. A server that says why it cannot serve is not asked as often as one that has yet to appear. */
export function nextProbeMs({ result }: Sight, replica: ReplicaState, { settings, random }: WatchParts): number {
  if (replica.status === 'draining') return settings.drainProbeMs;
  if (result.outcome === 'unready' && replica.status === 'ready') return settings.suspectProbeMs;
  const appearing =
    result.outcome === 'unready' &&
    (result.reason === 'refused' || result.reason === 'loading' || result.reason === 'timeout');
  return appearing ? settings.startProbeMs : jitter(random, settings.steadyProbeMs);
}
