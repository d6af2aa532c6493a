import type { InventoryResult, InventoryRow } from '@davit/provider-kit';
import { type Account, groupsOf, type Listing } from './account.js';
import type { EndedWorkers } from './ended-workers.js';
import type { EndpointRow } from './api/endpoints.js';
import type { GroupRow } from './api/workergroups.js';

const SOURCE = 'vast endpoints and workergroups';
const GROUP_KIND = 'workergroup:';

/** Endpoints whose name begins with `prefix`, and workergroups and workers that outlived theirs: each bills by itself. */
export async function inventory(account: Account, ended: EndedWorkers, prefix: string): Promise<InventoryResult> {
  const listing = await account.all(0);
  if (listing.kind !== 'confirmed') return { outcome: 'unknown', detail: listing.detail };
  const left = await ended.left(account, listing.value, prefix);
  if (left.kind !== 'confirmed') return { outcome: 'unknown', detail: left.detail };
  const rows = [...listing.value.endpoints.map(rowOfEndpoint), ...strays(listing.value).map(rowOfGroup), ...left.value];
  return {
    outcome: 'listed',
    rows: rows.filter(({ externalKey }) => externalKey.startsWith(prefix)),
    sources: [SOURCE],
  };
}

const strays = (listing: Listing): readonly GroupRow[] => {
  const owned = new Set(listing.endpoints.flatMap((endpoint) => groupsOf(listing, endpoint)).map(({ id }) => id));
  return listing.groups.filter(({ id }) => !owned.has(id));
};

export const rowOfEndpoint = ({ id, endpoint_name, endpoint_state }: EndpointRow): InventoryRow => ({
  externalKey: endpoint_name,
  phase: endpoint_state?.toLowerCase() === 'stopped' ? 'stopped' : 'provisioning',
  providerId: String(id),
  source: SOURCE,
  price: null,
  detail: `endpoint ${id}`,
});

const rowOfGroup = ({ id, endpoint_name, endpoint_id }: GroupRow): InventoryRow => ({
  externalKey: endpoint_name ?? '',
  phase: 'stopped',
  providerId: `${GROUP_KIND}${id}`,
  source: SOURCE,
  price: null,
  detail: `workergroup ${id} of endpoint ${endpoint_id ?? 'unknown'}, which is gone`,
});

/** What a row of the inventory shows, by the ids of its parts. */
export type Parts = { readonly endpoints: readonly EndpointRow[]; readonly groups: readonly GroupRow[] };

/** The parts of exactly the thing with this identity, as they are now. */
export function partsOf(listing: Listing, providerId: string | null): Parts {
  if (providerId?.startsWith(GROUP_KIND) === true) {
    const id = Number(providerId.slice(GROUP_KIND.length));
    return { endpoints: [], groups: strays(listing).filter((group) => group.id === id) };
  }
  const endpoints = listing.endpoints.filter(({ id }) => String(id) === providerId);
  return { endpoints, groups: endpoints.flatMap((endpoint) => groupsOf(listing, endpoint)) };
}
