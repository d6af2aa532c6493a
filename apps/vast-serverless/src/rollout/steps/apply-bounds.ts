import type { ScalingBounds } from '@davit/contracts';
import type { ReconcileResult } from '@davit/reconcile';
import type { EndpointRow, Policy } from '../../vast/api/endpoints.js';
import { writeEndpoint } from '../../vast/record/endpoint.js';
import { canaryBounds } from '../canary/drive.js';
import { canaryTarget } from '../canary/target.js';
import { endpointIdOf, groupNow, isNotSeen } from '../production/workers.js';
import type { Turn } from '../turn.js';

/** Writes bounds to an endpoint, and reads back what it holds now. What differs is written again until the deadline of the step. */
export async function applyBounds(
  turn: Turn,
  to: 'canary' | 'production',
  bounds: ScalingBounds,
): Promise<ReconcileResult> {
  const { parts, plan, context } = turn;
  const group = to === 'canary' ? undefined : await groupNow(turn);
  if (group && isNotSeen(group)) return turn.notKnown('bounds', group);
  const endpointId = group ? endpointIdOf(group) : canaryTarget(turn)?.endpointId;
  if (endpointId === undefined) return turn.notKnown('bounds', 'the canary has not been seen');
  const wanted = to === 'canary' ? canaryBounds(bounds, plan.policy.canary.maxWorkers) : bounds;
  const written = await writeEndpoint(parts.client, endpointId, { policy: wire(wanted) }, () => context.holdsLease());
  if (written.outcome !== 'written') return turn.notKnown('bounds', written.detail);
  const readBack = boundsOf(written.after, wanted);
  return turn.write({ type: 'davit.rollout.bounds-applied', data: { rolloutId: turn.state.id, to, readBack } });
}

export const wire = (bounds: ScalingBounds): Policy => ({
  min_load: bounds.minLoad,
  min_cold_load: bounds.minColdLoad,
  target_util: bounds.targetUtil,
  cold_mult: bounds.coldMult,
  cold_workers: bounds.coldWorkers,
  max_workers: bounds.maxWorkers,
  max_queue_time: bounds.maxQueueTimeS,
  target_queue_time: bounds.targetQueueTimeS,
  inactivity_timeout: bounds.inactivityTimeoutS,
});

/** As stored; it was compared with what was wanted, field by field. */
const boundsOf = (row: EndpointRow, wanted: ScalingBounds): ScalingBounds => ({
  minLoad: row.min_load ?? wanted.minLoad,
  minColdLoad: row.min_cold_load ?? wanted.minColdLoad,
  targetUtil: row.target_util ?? wanted.targetUtil,
  coldMult: row.cold_mult ?? wanted.coldMult,
  coldWorkers: row.cold_workers ?? wanted.coldWorkers,
  maxWorkers: row.max_workers ?? wanted.maxWorkers,
  maxQueueTimeS: row.max_queue_time ?? wanted.maxQueueTimeS,
  targetQueueTimeS: row.target_queue_time ?? wanted.targetQueueTimeS,
  inactivityTimeoutS: row.inactivity_timeout ?? wanted.inactivityTimeoutS,
});
