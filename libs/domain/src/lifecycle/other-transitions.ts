import type { DeploymentState, OrphanState } from './state.js';

/** The state machine of a deployment: the events of its stream that change its status, and the status that follows. */
export const DEPLOYMENT_TRANSITIONS: Readonly<
  Record<DeploymentState['status'], Readonly<Record<string, DeploymentState['status']>>>
> = {
  active: { declared: 'active', 'deletion-requested': 'deleting' },
  // Declared again while it is being deleted: what is not yet gone is counted in.
  deleting: { declared: 'active', deleted: 'deleted' },
  deleted: { declared: 'active' },
};

/** The state machine of an orphan: the facts of its stream that change its status, and the status that follows. */
export const ORPHAN_TRANSITIONS: Readonly<
  Record<OrphanState['status'], Readonly<Record<string, OrphanState['status']>>>
> = {
  quarantined: { 'orphan-cleared': 'cleared', 'delete-attempted': 'reaping' },
  reaping: { 'orphan-cleared': 'cleared', 'absence-confirmed': 'gone' },
  cleared: { 'orphan-found': 'quarantined' },
  gone: { 'orphan-found': 'quarantined' },
};
