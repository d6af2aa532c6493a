import type { NewEvent, UnreadyReason } from '@davit/contracts';
import { NO_FAILURES, type ProbeMemory, type ProbeResult, type ReplicaState, judgeFailure } from '@davit/domain';

export type Finding = {
  readonly url: string;
  readonly result: ProbeResult;
  readonly nowMs: number;
  readonly healthDeadlineMs: number;
};

/**
 * Reasons worth an event while a server is still to appear: an operator can act on them, and loading is progress that a start
 * deadline counts. Waiting is no failure (law 9).
 */
const TELLING: ReadonlySet<UnreadyReason> = new Set([
  'loading',
  'unauthorised',
  'unhealthy',
  'not-a-model-server',
  'inference-failed',
  'hung',
]);

/** What one probe changes: the event it deserves, if any, and what must be remembered of it. */
export function decideReadiness(
  replica: ReplicaState,
  failures: ProbeMemory,
  { url, result, nowMs, healthDeadlineMs }: Finding,
): { readonly event: NewEvent | undefined; readonly failures: ProbeMemory } {
  const replicaId = replica.id;
  const known = replica.runtime?.url === url ? replica.runtime : null;
  switch (result.outcome) {
    case 'ready': {
      const wanted = replica.status === 'launching' || replica.status === 'ready';
      if (known?.status === 'ready' || !wanted) return { event: undefined, failures: NO_FAILURES };
      const { servedModel, healthMs, modelsMs, inferenceMs } = result;
      const data = { replicaId, url, servedModel, evidence: { healthMs, modelsMs, inferenceMs } };
      return { event: { type: 'davit.runtime.became-ready', data }, failures: NO_FAILURES };
    }
    case 'wrong-model': {
      if (known?.reason === 'model-mismatch') return { event: undefined, failures };
      const data = { replicaId, url, expected: result.expected, found: [...result.found] };
      return { event: { type: 'davit.runtime.model-mismatched', data }, failures };
    }
    case 'unready': {
      const { reason, detail } = result;
      const judged = judgeFailure(failures, reason, nowMs, healthDeadlineMs);
      const changed = !replica.everReady && known?.reason !== reason;
      // What no longer loads must not go on to count as loading.
      const news = known?.status === 'ready' || (changed && (TELLING.has(reason) || known?.reason === 'loading'));
      if (judged.verdict !== 'unready' || !news) return { event: undefined, failures: judged.memory };
      const data = { replicaId, url, reason, detail, consecutiveFailures: judged.memory.failures };
      return { event: { type: 'davit.runtime.became-unready', data }, failures: judged.memory };
    }
  }
}
