import type { Observation, ObserveHints, ObserveResult, SeenPhase } from '@davit/provider-kit';
import { type Account, type Found, found, groupsOf } from './account.js';
import type { VastClient } from './client.js';
import { groupIdOf } from './ensure.js';
import { rowOfEndpoint } from './inventory.js';
import type { EndpointRow, GroupRow, InstanceRow, WorkerRow } from './rows.js';
import type { VastSettings } from './settings.js';

const unknown = (detail: string): ObserveResult => ({ outcome: 'unknown', detail });

/** Workers that were seen, by endpoint name: what must be gone before an endpoint is. Losing it costs precision only. */
export type SeenWorkers = Map<string, Set<number>>;

export interface VastObserverParts {
  readonly client: VastClient;
  readonly account: Account;
  readonly settings: VastSettings;
  readonly workers: SeenWorkers;
}

/** State of one endpoint: what is wanted, from the console, and what is, from the run host. */
export async function observe(parts: VastObserverParts, name: string, hints: ObserveHints): Promise<ObserveResult> {
  const { account, settings } = parts;
  const age = hints.launching ? settings.launchingAgeMs : settings.steadyAgeMs;
  let listing = await account.all(hints.purpose === 'absence' ? 0 : age);
  // What a shared list does not show may be newer than the list.
  if (listing.kind === 'confirmed' && !isComplete(found(listing.value, name))) listing = await account.all(0);
  if (listing.kind !== 'confirmed') return unknown(listing.detail);
  const { endpoints, groups } = found(listing.value, name);
  const endpoint = endpoints.find(({ id }) => String(id) === hints.providerId) ?? endpoints[0];
  if (!endpoint) {
    if (groups.length > 0) return present('stopped', null, null, `workergroup ${groups[0]?.id ?? '?'} is left`);
    return leftovers(parts, name, hints);
  }
  const seen = await one(parts, name, endpoint, groupsOf(listing.value, endpoint), hints);
  const duplicates = endpoints.filter((other) => other !== endpoint).map(rowOfEndpoint);
  return seen.outcome === 'present' && duplicates.length > 0 ? { ...seen, duplicates } : seen;
}

async function one(
  parts: VastObserverParts,
  name: string,
  endpoint: EndpointRow,
  groups: readonly GroupRow[],
  hints: ObserveHints,
): Promise<ObserveResult> {
  if (groups.length === 0 && hints.purpose === 'follow') {
    const detail = 'the endpoint has no workergroup';
    return hints.mayBeInvisible
      ? present('provisioning', endpoint, null, detail)
      : present('failed', endpoint, null, detail, 'transient');
  }
  return withWorkers(parts, name, endpoint, hints);
}

const isComplete = ({ endpoints, groups }: Found): boolean => endpoints.length > 0 && groups.length > 0;

async function withWorkers(
  parts: VastObserverParts,
  name: string,
  endpoint: EndpointRow,
  hints: ObserveHints,
): Promise<ObserveResult> {
  const reply = await parts.client.workers(endpoint.id);
  if (reply.kind !== 'confirmed') {
    // The engine learns of a new endpoint with a delay; afterwards not to know the workers is not to have none.
    if (hints.purpose === 'absence' || (hints.launching && hints.url === null)) {
      return present('provisioning', endpoint, null, 'no word of its workers yet');
    }
    return unknown(reply.detail);
  }
  remember(
    parts.workers,
    name,
    reply.value.map(({ id }) => id),
  );
  const detail = describe(reply.value);
  const state = endpoint.endpoint_state?.toLowerCase() ?? 'active';
  if (state === 'stopped') return present('stopped', endpoint, null, `stopped, ${detail}`);
  const url = `${parts.settings.openaiUrl.replace(/\/+$/, '')}/${name}`;
  const ready = reply.value.some((worker) => statusOf(worker) === 'idle');
  // Once it has served, workers that sleep wake on demand.
  const sleeps = hints.url !== null && reply.value.some((worker) => WAKES.has(statusOf(worker)));
  return ready || sleeps ? present('up', endpoint, url, detail) : present('provisioning', endpoint, null, detail);
}

/** Neither endpoint nor workergroup: workers may be left, and they bill. */
async function leftovers(parts: VastObserverParts, name: string, hints: ObserveHints): Promise<ObserveResult> {
  if (hints.purpose === 'follow' && hints.mayBeInvisible) return { outcome: 'absent' };
  const instances = await parts.account.instances(0);
  if (instances.kind !== 'confirmed') {
    return unknown(`instances cannot be listed (the key needs instance_read): ${instances.detail}`);
  }
  const known = parts.workers.get(name) ?? new Set<number>();
  const groupId = groupIdOf(hints.handle);
  const left = instances.value.filter((instance) => known.has(instance.id) || isOf(instance, name, groupId));
  if (left.length > 0) {
    return present('stopped', null, null, `left behind: ${left.map(({ id }) => `worker ${id}`).join(', ')}`);
  }
  if (hints.purpose === 'absence') parts.workers.delete(name);
  return { outcome: 'absent' };
}

/** Instances of workers carry the name of their group or endpoint in their label. */
function isOf({ label }: InstanceRow, name: string, groupId: number | undefined): boolean {
  const words = (label ?? '').split(/[^A-Za-z0-9]+/);
  return (label ?? '').includes(name) || (groupId !== undefined && words.includes(String(groupId)));
}

export function remember(workers: SeenWorkers, name: string, ids: readonly number[]): void {
  if (ids.length === 0) return;
  workers.set(name, new Set([...(workers.get(name) ?? []), ...ids]));
}

const WAKES = new Set([
  'stopped',
  'stopping',
  'starting',
  'update_ready',
  'update_rebooting',
  'update_starting',
  'rebooting',
]);

const statusOf = ({ status }: WorkerRow): string => (status ?? 'unknown').toLowerCase();

/** `1 idle, 2 loading`, in a fixed order so that only changes differ. */
function describe(workers: readonly WorkerRow[]): string {
  if (workers.length === 0) return 'no workers';
  const counts = new Map<string, number>();
  for (const worker of workers) counts.set(statusOf(worker), (counts.get(statusOf(worker)) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([status, count]) => `${count} ${status.slice(0, 30)}`)
    .join(', ');
}

function present(
  phase: SeenPhase,
  endpoint: EndpointRow | null,
  url: string | null,
  detail: string,
  errorClass: Observation['class'] = null,
): ObserveResult {
  const providerId = endpoint === null ? null : String(endpoint.id);
  return { outcome: 'present', phase, url, providerId, price: null, class: errorClass, detail };
}
