import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';

/**
 * What routes rest on of a replica, as text: while it is the same, a look at the alias decides what it decided before. News of load, of
 * prices, of the start or of the routes themselves are none of it.
 */
export const routeFactsOfReplica = ({ status, runtime, absence, drain, revision }: ReplicaState): string =>
  JSON.stringify([
    status,
    runtime && [runtime.status, runtime.url, runtime.servedModel, runtime.adapters],
    absence.observedAt.length > 0,
    drain && [drain.deadlineAt, drain.ended],
    revision,
  ]);

/** The same of a deployment: the names that it serves under, and what it says of each of its targets. */
export const routeFactsOfDeployment = ({ status, aliases, spec }: DeploymentState): string =>
  JSON.stringify([status, aliases, spec.spec.routing, spec.metadata.labels]);
