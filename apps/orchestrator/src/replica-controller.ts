import { type ReplicaTimings, type DeploymentState, type ReplicaState, decideReplica, isGone } from '@davit/domain';
import type { Document } from '@davit/projection';
import type { Controller } from '@davit/reconcile';
import { carryOut } from './carry-out.js';

/** `replica.provision`, `replica.heal` and `replica.delete`: one replica, from intent to proven absence. */
export function replicaController(timings: ReplicaTimings): Controller {
  return {
    name: 'replica',
    keysOf: (ref, document) => (ref.kind === 'replica' && isAlive(document) ? [ref.key] : []),
    async reconcile(context) {
      const replica = (await context.model.get<ReplicaState>('replica', context.key))?.document;
      if (!replica) return {};
      const deployment = (await context.model.get<DeploymentState>('deployment', replica.deployment))?.document;
      return carryOut(context, decideReplica(replica, deployment, context.nowMs(), timings), replica);
    },
  };
}

/** The dead are kept for ever; looking at each of them at every walk would cost more from year to year. */
const isAlive = (document: Document | undefined): boolean =>
  document !== undefined && !isGone(document as ReplicaState); // the lifecycle fold keeps replicas under this kind
