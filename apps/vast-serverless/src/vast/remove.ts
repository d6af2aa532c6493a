import type { DeleteResult, InventoryRow } from '@davit/provider-kit';
import { type Account, found } from './account.js';
import type { VastClient } from './client.js';
import { type Parts, partsOf } from './inventory.js';
import { remember, type SeenWorkers } from './observe.js';
import type { Reply } from './reply.js';
import type { Deletion } from './rows.js';

/** Workergroups first, then the endpoint; a worker that could not be destroyed still bills, whatever `success` says. */
export async function remove(
  client: VastClient,
  account: Account,
  seen: SeenWorkers,
  name: string,
): Promise<DeleteResult> {
  const listing = await account.all(0);
  if (listing.kind !== 'confirmed') return failure(listing);
  return end(client, seen, name, found(listing.value, name));
}

/** Exactly what the row shows: its own endpoint with the workergroups of that one, whatever else has the name. */
export async function reap(
  client: VastClient,
  account: Account,
  seen: SeenWorkers,
  { externalKey, providerId }: InventoryRow,
): Promise<DeleteResult> {
  const listing = await account.all(0);
  if (listing.kind !== 'confirmed') return failure(listing);
  return end(client, seen, externalKey, partsOf(listing.value, providerId));
}

async function end(
  client: VastClient,
  seen: SeenWorkers,
  name: string,
  { endpoints, groups }: Parts,
): Promise<DeleteResult> {
  const failed: number[] = [];
  const steps = [
    ...groups.map(
      ({ id }) =>
        () =>
          client.deleteWorkergroup(id),
    ),
    ...endpoints.map(
      ({ id }) =>
        () =>
          client.deleteEndpoint(id),
    ),
  ];
  for (const { id } of endpoints) {
    const workers = await client.workers(id);
    if (workers.kind === 'confirmed')
      remember(
        seen,
        name,
        workers.value.map((worker) => worker.id),
      );
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
const isGone = (reply: Exclude<Reply<Deletion>, { kind: 'confirmed' }>): boolean =>
  reply.kind === 'refused' &&
  (reply.class === 'not-found' ||
    (reply.status === 400 && /not found for user|Invalid autojob ID/i.test(reply.detail)));

const failure = (reply: Exclude<Reply<unknown>, { kind: 'confirmed' }>): DeleteResult =>
  reply.kind === 'refused'
    ? { outcome: 'refused', class: reply.class, detail: reply.detail }
    : { outcome: 'unknown', detail: reply.detail };
