import type { Clock } from '@davit/ports';
import { SharedLook } from '@davit/provider-kit';
import type { EndpointRow } from './api/endpoints.js';
import type { InstanceRow } from './api/instances.js';
import type { GroupRow } from './api/workergroups.js';
import type { VastClient } from './client.js';
import type { Reply } from './wire/reply.js';

/** Endpoints and workergroups of the account as of one moment. */
export interface Listing {
  readonly endpoints: readonly EndpointRow[];
  readonly groups: readonly GroupRow[];
}

/** What belongs to one name. */
export interface Found {
  readonly endpoints: readonly EndpointRow[];
  readonly groups: readonly GroupRow[];
}

/** Shared looks at the account: lists cost seconds of pacing, however many endpoints ask. */
export class Account {
  private readonly listing: SharedLook<Reply<Listing>>;
  private readonly instanceList: SharedLook<Reply<readonly InstanceRow[]>>;

  constructor(
    private readonly client: VastClient,
    clock: Clock,
  ) {
    const nowMs = (): number => clock.monotonicMs();
    const isConfirmed = ({ kind }: Reply<unknown>): boolean => kind === 'confirmed';
    this.listing = new SharedLook(nowMs, () => this.list(), isConfirmed);
    this.instanceList = new SharedLook(nowMs, () => client.instances.list(), isConfirmed);
  }

  /** A listing at most `maxAgeMs` old; 0 asks anew. */
  all(maxAgeMs: number): Promise<Reply<Listing>> {
    return this.listing.get(maxAgeMs);
  }

  instances(maxAgeMs: number): Promise<Reply<readonly InstanceRow[]>> {
    return this.instanceList.get(maxAgeMs);
  }

  private async list(): Promise<Reply<Listing>> {
    const endpoints = await this.client.endpoints.list();
    if (endpoints.kind !== 'confirmed') return endpoints;
    const groups = await this.client.workergroups.list();
    if (groups.kind !== 'confirmed') return groups;
    return { kind: 'confirmed', value: { endpoints: endpoints.value, groups: groups.value } };
  }
}

/** Workergroups of exactly this endpoint. One that says its name only belongs to it as long as no other has the name. */
export function groupsOf(listing: Listing, { id, endpoint_name }: EndpointRow): readonly GroupRow[] {
  const isOnlyOne = listing.endpoints.filter((other) => other.endpoint_name === endpoint_name).length === 1;
  return listing.groups
    .filter((group) =>
      typeof group.endpoint_id === 'number'
        ? group.endpoint_id === id
        : isOnlyOne && group.endpoint_name === endpoint_name,
    )
    .toSorted((a, b) => a.id - b.id);
}

/** Rows of exactly this name, and workergroups of its endpoints; lowest id first. */
export function found(listing: Listing, name: string): Found {
  const endpoints = listing.endpoints
    .filter(({ endpoint_name }) => endpoint_name === name)
    .toSorted((a, b) => a.id - b.id);
  const ids = new Set(endpoints.map(({ id }) => id));
  const groups = listing.groups
    .filter(({ endpoint_id, endpoint_name }) => ids.has(endpoint_id ?? -1) || endpoint_name === name)
    .toSorted((a, b) => a.id - b.id);
  return { endpoints, groups };
}
