import type { DeleteResult, InventoryRow } from '@davit/provider-kit';
import { type Account, found } from './account.js';
import type { VastClient } from './client.js';
import { type EndedWorkers, workerIdOf } from './ended-workers.js';
import { type Parts, partsOf } from './inventory.js';
import { remember, type SeenWorkers } from './observe.js';
import type { Failure } from './wire/reply.js';

export interface RemoveParts {
  readonly client: VastClient;
  readonly account: Account;
  readonly seen: SeenWorkers;
  readonly ended: EndedWorkers;
  /** A key that may end single instances is set. */
  readonly emergency: boolean;
}

/** Workergroups first, then the endpoint; a worker that could not be destroyed still bills, whatever `success` says. */
export async function remove(parts: RemoveParts, name: string): Promise<DeleteResult> {
  const listing = await parts.account.all(0);
  if (listing.kind !== 'confirmed') return failure(listing);
  return end(parts, name, found(listing.value, name));
}

/** Exactly what the row shows: its own endpoint with the workergroups of that one, whatever else has the name. */
export async function reap(
  parts: RemoveParts,
  { externalKey, providerId, detail }: InventoryRow,
): Promise<DeleteResult> {
  const worker = workerIdOf(providerId);
  if (worker !== null && parts.emergency) return destroy(parts.client, worker);
  if (worker !== null) {
    const remedy = 'Vast was asked to destroy it and did not; destroy this instance in its console';
    return { outcome: 'refused', class: 'config', detail: `${detail}: ${remedy}` };
  }
  const listing = await parts.account.all(0);
  if (listing.kind !== 'confirmed') return failure(listing);
  return end(parts, externalKey, partsOf(listing.value, providerId));
}

async function destroy(client: VastClient, workerId: number): Promise<DeleteResult> {
  const reply = await client.instances.destroy(workerId);
  if (reply.kind !== 'confirmed' && !isGone(reply)) return failure(reply);
  return { outcome: 'accepted', detail: `asked for: instance ${workerId}` };
}

async function end(
  { client, seen, ended }: RemoveParts,
  name: string,
  { endpoints, groups }: Parts,
): Promise<DeleteResult> {
  const failed: number[] = [];
  const steps = [
    ...groups.map(
      ({ id }) =>
        () =>
          client.workergroups.delete(id),
    ),
    ...endpoints.map(
      ({ id }) =>
        () =>
          client.endpoints.delete(id),
    ),
  ];
  for (const { id } of endpoints) {
    const workers = await client.workers.ofEndpoint(id);
    if (workers.kind !== 'confirmed') continue;
    const ids = workers.value.map((worker) => worker.id);
    remember(seen, name, ids);
    ended.add(name, id, ids);
  }
  for (const step of steps) {
    const reply = await step();
    if (reply.kind === 'confirmed') {
      remember(seen, name, [...reply.value.deleted_workers, ...reply.value.failed_workers]);
      failed.push(...reply.value.failed_workers);
    } else if (!isGone(reply)) return failure(reply);
  }
  if (failed.length > 0) {
    return {
      outcome: 'refused',
      class: 'transient',
      detail: `workers not destroyed: ${[...new Set(failed)].join(', ')}`,
    };
  }
  const detail = `asked for: ${groups.length} workergroups, ${endpoints.length} endpoints`;
  return { outcome: 'accepted', detail: steps.length === 0 ? 'nothing of it is there' : detail };
}

/** Somebody else, or an earlier attempt, was faster. */
const isGone = (reply: Failure): boolean =>
  reply.kind === 'refused' &&
  (reply.class === 'not-found' ||
    (reply.status === 400 && /not found for user|Invalid autojob ID/i.test(reply.detail)));

const failure = (reply: Failure): DeleteResult =>
  reply.kind === 'refused'
    ? { outcome: 'refused', class: reply.class, detail: reply.detail }
    : { outcome: 'unknown', detail: reply.detail };
