import type { Clock, HttpClient } from '@davit/ports';
import type { DiscoverResult, OnProviderCall, ProviderBackend } from '@davit/provider-kit';
import { Account, found } from './account.js';
import { VastClient } from './client.js';
import { EndedWorkers } from './ended-workers.js';
import { ensure, handleOf } from './ensure.js';
import { inventory } from './inventory.js';
import { observe, type SeenWorkers } from './observe.js';
import { reap, remove } from './remove.js';
import type { VastSettings } from './settings.js';

export interface VastParts {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly settings: VastSettings;
  /** Told of each call. */
  readonly onCall?: OnProviderCall;
}

/** The backend `vast-serverless`: one endpoint with one workergroup for each replica; Vast scales its workers. */
export function vastBackend({ http, clock, settings, onCall }: VastParts): ProviderBackend {
  const client = new VastClient(http, clock, settings, onCall);
  const account = new Account(client, clock);
  const workers: SeenWorkers = new Map();
  const ended = new EndedWorkers();
  const parts = { client, account, seen: workers, ended };
  return {
    adapter: 'vast-serverless',
    category: 'endpoint',
    capabilities: { advice: false, spot: false, stop: false, regions: false, labels: false },
    identify: (externalKey) => ({ externalKey, name: externalKey }),
    discover: (name) => discover(account, name),
    ensure: (order) => ensure(client, account, order),
    observe: (name, hints) => observe({ client, account, settings, workers }, name, hints),
    delete: (name) => remove(parts, name),
    inventory: (prefix) => inventory(account, ended, prefix),
    reap: (row) => reap(parts, row),
  };
}

async function discover(account: Account, name: string): Promise<DiscoverResult> {
  const listing = await account.all(0);
  if (listing.kind !== 'confirmed') return { outcome: 'unknown', detail: listing.detail };
  const { endpoints, groups } = found(listing.value, name);
  const [endpoint] = endpoints;
  const [group] = groups;
  if (!endpoint && !group) return { outcome: 'absent', detail: 'no endpoint of this name' };
  return {
    outcome: 'present',
    handle: endpoint && group ? handleOf(endpoint.id, group.id) : null,
    detail: `${endpoints.length} endpoints, ${groups.length} workergroups`,
  };
}
