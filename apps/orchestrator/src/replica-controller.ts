import { type ReplicaTimings, type DeploymentState, type ReplicaState, decideReplica } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import { carryOut } from './carry-out.js';

/** `replica.provision`, `replica.heal` and `replica.delete`: one replica, from intent to proven absence. */
export function replicaController(timings: ReplicaTimings): Controller {
  return {
    name: 'replica',
    keysOf: (ref) => (ref.kind === 'replica' ? [ref.key] : []),
    async reconcile(context) {
      const replica = (await context.model.get<ReplicaState>('replica', context.key))?.document;
      if (!replica) return {};
      const deployment = (await context.model.get<DeploymentState>('deployment', replica.deployment))?.document;
      return carryOut(context, decideReplica(replica, deployment, context.nowMs(), timings), replica);
    },
  };
}
