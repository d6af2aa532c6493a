import type { DiscoverResult, ProviderBackend } from '@davit/provider-kit';
import { Account, found } from './account.js';
import { VastClient } from './client.js';
import { EndedWorkers } from './ended-workers.js';
import { ensure } from './ensure.js';
import { type Expected, NOTHING_ELSE } from './expectation.js';
import { handleOf } from './handle.js';
import { inventory } from './inventory.js';
import { observe, type SeenWorkers } from './observe.js';
import { reap, remove } from './remove.js';
import type { SecretSource } from './template/candidate.js';
import type { TransportParts } from './wire/transport.js';

export interface VastParts extends TransportParts {
  /** The client of this process, where there is one: its calls take turns with those of the backend. */
  readonly client?: VastClient;
  /** Reads the values of secrets that templates hold; without it there are none. */
  readonly secrets?: SecretSource;
  /** What rollouts have changed on purpose. */
  readonly expected?: Expected;
}

/** The backend `vast-serverless`: one endpoint with one workergroup for each replica; Vast scales its workers. */
export function vastBackend(vast: VastParts): ProviderBackend {
  const { clock, settings, expected = NOTHING_ELSE, secrets = () => undefined } = vast;
  const client = vast.client ?? new VastClient(vast);
  const account = new Account(client, clock);
  const workers: SeenWorkers = new Map();
  const ended = new EndedWorkers();
  const parts = { client, account, seen: workers, ended, emergency: settings.emergencyKey !== '' };
  return {
    adapter: 'vast-serverless',
    category: 'endpoint',
    capabilities: { advice: false, spot: false, stop: false, regions: false, labels: false },
    identify: (externalKey) => ({ externalKey, name: externalKey }),
    discover: (name) => discover(account, name),
    ensure: (order) => ensure({ client, account, secrets, expected }, order),
    observe: (name, hints) => observe({ client, account, settings, workers, clock, expected }, name, hints),
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
    handle: endpoint && group ? handleOf(endpoint, group) : null,
    detail: `${endpoints.length} endpoints, ${groups.length} workergroups`,
    isPartial: !group,
  };
}
