import { stream } from '@davit/contracts';
import { type Beginning, begin, type DeploymentState, type ReplicaState, type Verified } from '@davit/domain';
import type { ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { found } from '../vast/account.js';
import type { VastClient } from '../vast/client.js';
import { verifyTemplate } from '../vast/template/create.js';
import { type Failure, isDenied } from '../vast/wire/reply.js';
import type { RolloutParts } from './parts.js';
import { restsOn } from './turn.js';

type Begun = {
  readonly deployment: DeploymentState;
  readonly replicas: readonly ReplicaState[];
  readonly beginning: Beginning;
};

/** Reads what a rollback would go back to; without it nothing is begun. What cannot be read is read again. */
export async function beginRollout(
  { client, pace, meters }: RolloutParts,
  context: ReconcileContext,
  { deployment, replicas, beginning }: Begun,
): Promise<ReconcileResult> {
  const again = { requeueAfterMs: pace.lookMs };
  const serving = deployment.revisions[beginning.fromRevision]?.spec.compute;
  const declaredHash = serving?.mode === 'serverless' ? (serving.templateHash ?? null) : null;
  const verified = await verify(client, beginning.externalKey, declaredHash);
  if (verified === 'unknown') return again;
  const { tenant, correlationId, declaration } = deployment;
  if (declaration === undefined) return {};
  const replica = replicas.find(({ id }) => id === beginning.replicaId);
  const write = {
    stream: stream.rollout(beginning.rolloutId),
    expectedVersion: 0,
    events: [begin(beginning, verified, [declaration])],
  } as const;
  const result = await context.append([write], {
    tenant,
    requires: restsOn(deployment, replica),
    ...(correlationId === null ? {} : { correlationId }),
  });
  if (result.outcome === 'appended') meters?.(undefined, result.events);
  return again;
}

const LOST = { ok: false, code: 'rollback-target-unverified' } as const;

const unread = (reply: Failure): Verified | 'unknown' =>
  isDenied(reply) ? { ok: false, code: 'access-denied', detail: reply.detail } : 'unknown';

async function verify(client: VastClient, name: string, declaredHash: string | null): Promise<Verified | 'unknown'> {
  const endpoints = await client.endpoints.list();
  const groups = await client.workergroups.list();
  if (endpoints.kind !== 'confirmed') return unread(endpoints);
  if (groups.kind !== 'confirmed') return unread(groups);
  const present = found({ endpoints: endpoints.value, groups: groups.value }, name);
  const [group] = present.groups;
  if (!group || present.groups.length > 1) {
    return { ...LOST, detail: `${name} has ${present.groups.length} workergroups, not one` };
  }
  const { template_id: templateId, template_hash: templateHash } = group;
  if (!templateId || !templateHash) return { ...LOST, detail: `workergroup ${group.id} does not tell its template` };
  if (declaredHash !== null && declaredHash !== templateHash) {
    return { ...LOST, detail: `workergroup ${group.id} uses template ${templateHash}, not ${declaredHash}` };
  }
  const check = await verifyTemplate(client, { id: templateId, hash: templateHash });
  switch (check.outcome) {
    case 'as-recorded':
      return { ok: true, workergroupId: group.id, rollback: { templateId, templateHash } };
    case 'unknown':
      return 'unknown';
    case 'denied':
      return { ok: false, code: 'access-denied', detail: check.detail };
    case 'changed':
    case 'gone':
      return { ...LOST, detail: check.detail };
  }
}
