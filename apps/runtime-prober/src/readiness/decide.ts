import { MAX_SIGNALS, type NewEvent, type ReadinessSignal, type UnreadyReason } from '@davit/contracts';
import {
  NO_FAILURES,
  type ProbeMemory,
  type ProbeResult,
  type Recovery,
  type ReplicaState,
  type UnreadyResult,
  afterFailure,
  afterSuccess,
  afterUnready,
  describeTraffic,
  freshReports,
  judgeFailure,
  trafficPoints,
} from '@davit/domain';
import type { ReplicaMemory } from './memory.js';

export type ReadinessMemory = Pick<ReplicaMemory, 'failures' | 'reason' | 'recovery'>;

export type Finding = {
  readonly url: string;
  readonly result: ProbeResult;
  /** Its counters moved since the probe before. */
  readonly progressed: boolean;
  /** An ill observer would find the same: no verdict yet. */
  readonly held: boolean;
  readonly nowMs: number;
  readonly healthDeadlineMs: number;
};

/**
 * Reasons worth an event while a server is still to appear: an operator can act on them, or they are progress that a start
 * deadline counts. Waiting is no failure (law 9).
 */
const TELLING: ReadonlySet<UnreadyReason> = new Set([
  'loading',
  'warming',
  'asleep',
  'unauthorised',
  'unhealthy',
  'not-a-model-server',
  'model-mismatch',
  'engine-dead',
  'inference-failed',
  'hung',
]);
/** Reasons that count as progress for as long as they are told. */
const MOVING: ReadonlySet<UnreadyReason | null> = new Set(['loading', 'warming']);

export type Decided = { readonly event: NewEvent | undefined; readonly memory: ReadinessMemory };

/** What one probe changes: the event it deserves, if any, and what must be remembered of it. */
export function decideReadiness(replica: ReplicaState, memory: ReadinessMemory, finding: Finding): Decided {
  const { url, result } = finding;
  const known = replica.runtime?.url === url ? replica.runtime : null;
  switch (result.outcome) {
    case 'ready':
      return ready(replica, memory, finding, result, known?.status === 'ready');
    case 'wrong-model': {
      if (known?.reason === 'model-mismatch') return { event: undefined, memory };
      const data = { replicaId: replica.id, url, expected: result.expected, found: [...result.found] };
      return {
        event: { type: 'davit.runtime.model-mismatched', data },
        memory: { ...memory, recovery: fallen(memory.recovery, known?.status === 'ready', finding.nowMs) },
      };
    }
    case 'unready':
      return unready(replica, memory, finding, result, known);
  }
}

function ready(
  replica: ReplicaState,
  { recovery: before }: ReadinessMemory,
  { url, nowMs }: Finding,
  result: Extract<ProbeResult, { outcome: 'ready' }>,
  isKnown: boolean,
): Decided {
  const { recovery, isBack } = afterSuccess(before, nowMs);
  const memory = { failures: NO_FAILURES, reason: null, recovery };
  const wanted = replica.status === 'launching' || replica.status === 'ready';
  if (isKnown || !wanted || !isBack) return { event: undefined, memory };
  const { servedModel, healthMs, modelsMs, inferenceMs, contextLength, adapters, engineVersion } = result;
  const evidence = {
    ...{ healthMs, modelsMs, inferenceMs },
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(adapters === undefined ? {} : { adapters: [...adapters] }),
    ...(engineVersion === undefined ? {} : { engineVersion }),
  };
  const data = { replicaId: replica.id, url, servedModel, evidence };
  return { event: { type: 'davit.runtime.became-ready', data }, memory };
}

function unready(
  replica: ReplicaState,
  before: ReadinessMemory,
  { url, progressed, held, nowMs, healthDeadlineMs }: Finding,
  { reason, detail, slow, signals }: UnreadyResult,
  known: ReplicaState['runtime'],
): Decided {
  // While it starts, evidence of one kind says nothing of another: what alternates is still on its way.
  const failures: ProbeMemory = replica.everReady || before.reason === reason ? before.failures : NO_FAILURES;
  const points = trafficPoints(replica.traffic, nowMs);
  const waking = replica.mode === 'serverless' && reason === 'warming';
  const seen = { reason, slow, progressed, waking, trafficPoints: points, nowMs };
  const judged = judgeFailure(failures, seen, healthDeadlineMs);
  const memory = { failures: judged.memory, reason, recovery: afterFailure(before.recovery) };
  const changed = !replica.everReady && known?.reason !== reason;
  // What no longer loads must not go on to count as loading.
  const news = known?.status === 'ready' || (changed && (TELLING.has(reason) || MOVING.has(known?.reason ?? null)));
  if (judged.verdict !== 'unready' || held || !news) return { event: undefined, memory };
  const said = [...trafficSignals(replica, nowMs), ...signals].slice(-MAX_SIGNALS);
  const data = {
    replicaId: replica.id,
    ...{ url, reason, detail, consecutiveFailures: judged.memory.failures },
    ...(said.length === 0 ? {} : { signals: said }),
  };
  return {
    event: { type: 'davit.runtime.became-unready', data },
    memory: { ...memory, recovery: fallen(memory.recovery, known?.status === 'ready', nowMs) },
  };
}

const fallen = (recovery: Recovery, wasReady: boolean, nowMs: number): Recovery =>
  wasReady ? afterUnready(recovery, nowMs) : recovery;

/** What gateways say, as far as it still counts; the latest few, so that what was probed is told as well. */
const trafficSignals = ({ traffic }: ReplicaState, nowMs: number): readonly ReadinessSignal[] =>
  freshReports(traffic, nowMs)
    .slice(-3)
    .map((report) => ({ source: 'traffic', observedAt: report.at, said: describeTraffic(report).slice(0, 500) }));
