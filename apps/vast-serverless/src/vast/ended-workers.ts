import type { InventoryRow } from '@davit/provider-kit';
import type { Account, Listing } from './account.js';
import type { Reply } from './wire/reply.js';

const KIND = 'worker:';

/**
 * Workers of endpoints whose deletion was asked for. An endpoint goes although some of its workers could not be destroyed,
 * and those bill on, so each is looked for until it is gone. It is memory: the log keeps what a deletion said of them.
 */
export class EndedWorkers {
  private readonly byId = new Map<number, { readonly name: string; readonly endpointId: number }>();

  add(name: string, endpointId: number, ids: readonly number[]): void {
    for (const id of ids) this.byId.set(id, { name, endpointId });
  }

  /** Those that are still there although their endpoint is not. Asks only where there are any to ask for. */
  async left(account: Account, listing: Listing, prefix: string): Promise<Reply<readonly InventoryRow[]>> {
    const endpoints = new Set(listing.endpoints.map(({ id }) => id));
    const wanted = [...this.byId].filter(
      ([, { name, endpointId }]) => name.startsWith(prefix) && !endpoints.has(endpointId),
    );
    if (wanted.length === 0) return { kind: 'confirmed', value: [] };
    const instances = await account.instances(0);
    if (instances.kind !== 'confirmed') return instances;
    const present = new Set(instances.value.map(({ id }) => id));
    for (const [id] of wanted) if (!present.has(id)) this.byId.delete(id);
    const rows = wanted
      .filter(([id]) => present.has(id))
      .map(([id, { name, endpointId }]) => rowOf(id, name, endpointId));
    return { kind: 'confirmed', value: rows };
  }
}

const rowOf = (id: number, name: string, endpointId: number): InventoryRow => ({
  externalKey: name,
  phase: 'up',
  providerId: `${KIND}${id}`,
  source: 'vast instances',
  price: null,
  detail: `worker ${id}, left behind by endpoint ${endpointId}`,
});

/** Id of the instance that an identity of a worker names; null for the identity of anything else. */
export const workerIdOf = (providerId: string | null): number | null =>
  providerId?.startsWith(KIND) === true ? Number(providerId.slice(KIND.length)) : null;
