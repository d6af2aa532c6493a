import type { QueryOf, operations } from '@davit/contracts';
import type { DeploymentState, ReplicaState } from '@davit/domain';
import type { StoredDocument } from '@davit/projection';
import { isAsked, isOneOf } from './listing.js';

type Filter = Pick<QueryOf<typeof operations.listDeployments>, 'status' | 'paused' | 'condition' | 'label'>;

/** Whether a deployment is one of those that are asked for. */
export function isWanted({ status, paused, conditions, spec }: DeploymentState, filter: Filter): boolean {
  const { condition, label = [] } = filter;
  const [name = '', is = ''] = condition?.split(':') ?? [];
  const present = conditions[name];
  return (
    isOneOf(filter.status, status) &&
    isAsked(filter.paused, paused !== undefined) &&
    (condition === undefined || present?.status === is || present?.reason === is) &&
    label.every((pair) => {
      const [key = '', ...value] = pair.split('=');
      return spec.metadata.labels[key] === value.join('=');
    })
  );
}

/** Replicas by the key of their deployment. */
export function byDeployment(
  replicas: readonly StoredDocument<ReplicaState>[],
): ReadonlyMap<string, readonly ReplicaState[]> {
  const found = new Map<string, ReplicaState[]>();
  for (const { document } of replicas) {
    const same = found.get(document.deployment);
    if (same) same.push(document);
    else found.set(document.deployment, [document]);
  }
  return found;
}

/** Deployments that changed after a position, or whose replicas did: both show in a row. All of them where none is named. */
export function changedWith(
  deployments: readonly StoredDocument<DeploymentState>[],
  replicas: readonly StoredDocument<ReplicaState>[],
  changedAfter: number | undefined,
): readonly StoredDocument<DeploymentState>[] {
  if (changedAfter === undefined) return deployments;
  const changed = new Set(
    replicas.filter(({ position }) => position > changedAfter).map(({ document }) => document.deployment),
  );
  return deployments.filter(({ key, position }) => position > changedAfter || changed.has(key));
}
