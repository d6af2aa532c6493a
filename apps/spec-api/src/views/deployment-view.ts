import type { DeploymentView } from '@davit/contracts';
import { type DeploymentState, type ReplicaState, groupOf } from '@davit/domain';
import type { ReadModel, StoredDocument } from '@davit/projection';

/** Row of a deployment, from its document and those of its replicas. */
export function deploymentView(
  { document, position }: StoredDocument<DeploymentState>,
  replicas: readonly ReplicaState[],
): DeploymentView {
  const { name, tenant, status, generation, revision, activeRevision, conditions, spec } = document;
  return {
    name,
    tenant,
    status,
    generation,
    revision,
    activeRevision,
    desiredReplicas: status === 'active' ? spec.spec.scaling.replicas : 0,
    readyReplicas: replicas.filter((replica) => replica.status === 'ready').length,
    paused: document.paused ?? null,
    conditions: Object.entries(conditions).map(([condition, state]) => ({ condition, ...state })),
    position,
  };
}

/** Replicas of a deployment that are not proven gone. */
export async function presentReplicas(model: Pick<ReadModel, 'list'>, key: string): Promise<readonly ReplicaState[]> {
  return (await model.list<ReplicaState>('replica', groupOf.present(key))).map(({ document }) => document);
}
