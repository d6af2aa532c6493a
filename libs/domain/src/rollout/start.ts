import type { EvidencePolicy, NewEvent, TemplateIdentity } from '@davit/contracts';
import { type DeploymentState, type ReplicaState, isLive } from '../lifecycle/state.js';
import { rolloutIdOf } from './identity.js';

/** A rollout that may begin, once the template to go back to was read again. */
export type Beginning = {
  readonly rolloutId: string;
  readonly deployment: string;
  readonly revision: number;
  readonly fromRevision: number;
  readonly replicaId: string;
  readonly externalKey: string;
  readonly policy: EvidencePolicy;
};

/** True where what serves stays, and the declared revision has to prove itself before it takes over on the same endpoint. */
export function isHeldForEvidence({
  status,
  revision,
  activeRevision,
  revisions,
  spec,
  rollout,
}: DeploymentState): boolean {
  if (status !== 'active' || activeRevision === null || activeRevision === revision) return false;
  if (spec.spec.rollout.strategy !== 'evidence' || !revisions[activeRevision]) return false;
  return !(rollout?.revision === revision && rollout.status === 'accepted');
}

/** What the replicas are of now: an accepted candidate serves before orchestrator has activated its revision. */
export function servingRevision({ activeRevision, rollout }: DeploymentState): number | null {
  if (activeRevision === null || rollout?.status !== 'accepted') return activeRevision;
  return Math.max(activeRevision, rollout.revision);
}

/**
 * The rollout that a deployment lacks; undefined while there is none to begin, and while the deployment is paused. One at a time; a revision that was refused, rejected or rolled
 * back begins again only when a user asks to try again.
 */
export function beginningOf(deployment: DeploymentState, replicas: readonly ReplicaState[]): Beginning | undefined {
  const { key, revision, rollout, retriedAt, spec } = deployment;
  const serving = servingRevision(deployment);
  const policy = spec.spec.rollout.evidence;
  if (serving === null || !policy || deployment.paused || !isHeldForEvidence(deployment)) return undefined;
  if (rollout?.status === 'under-way') return undefined;
  const again = rollout?.revision === revision;
  if (again && (retriedAt === null || retriedAt < rollout.since)) return undefined;
  const replica = replicas.find((one) => one.revision === serving && one.status === 'ready' && isLive(one));
  if (!replica) return undefined;
  const attempt = again ? rollout.attempt + 1 : 1;
  return {
    rolloutId: rolloutIdOf({ deployment: key, revision, attempt }),
    deployment: key,
    revision,
    fromRevision: serving,
    replicaId: replica.id,
    externalKey: replica.externalKey,
    policy,
  };
}

/** What was read of production before anything was begun. */
export type Verified =
  | { readonly ok: true; readonly workergroupId: number; readonly rollback: TemplateIdentity }
  | { readonly ok: false; readonly code: 'rollback-target-unverified' | 'access-denied'; readonly detail: string };

const REMEDIES = {
  'rollback-target-unverified': (revision: number) => `Restore the template that revision ${revision} serves from`,
  'access-denied': () => 'Give the key of vast-serverless that permission, or the account a deposit',
} as const;

/**
 * Begins, or refuses: without a template to go back to, read again and found unchanged, there is no way back.
 * @param because events that led to it, the declaration first
 */
export function begin(beginning: Beginning, verified: Verified, because: readonly string[]): NewEvent {
  const { rolloutId, deployment, revision, fromRevision, replicaId, externalKey, policy } = beginning;
  const whose = { rolloutId, deployment, revision, fromRevision, replicaId };
  if (!verified.ok) {
    return {
      type: 'davit.rollout.refused',
      data: {
        ...whose,
        code: verified.code,
        detail: verified.detail,
        remedy: `${REMEDIES[verified.code](fromRevision)}, then send \`davit retry ${deployment}\`.`,
      },
    };
  }
  const { workergroupId, rollback } = verified;
  return {
    type: 'davit.rollout.started',
    data: { ...whose, externalKey, workergroupId, rollback, policy, because: [...because] },
  };
}
