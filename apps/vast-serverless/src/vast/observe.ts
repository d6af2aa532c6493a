import type { HourlyPrice } from '@davit/contracts';
import type { Clock } from '@davit/ports';
import type { Observation, ObserveHints, ObserveResult, SeenPhase } from '@davit/provider-kit';
import { type Account, type Found, found, groupsOf } from './account.js';
import type { EndpointRow } from './api/endpoints.js';
import type { InstanceRow } from './api/instances.js';
import type { WorkerRow } from './api/workers.js';
import type { GroupRow } from './api/workergroups.js';
import type { VastClient } from './client.js';
import { changedIn } from './drift.js';
import type { Expected } from './expectation.js';
import { parseHandle } from './handle.js';
import { rowOfEndpoint } from './inventory.js';
import { doubtOf, join, type JoinedWorker } from './joined.js';
import { priceOf } from './price.js';
import type { VastSettings } from './settings.js';
import { clean } from './wire/clean.js';

const unknown = (detail: string): ObserveResult => ({ outcome: 'unknown', detail });

/** Workers that were seen, by endpoint name: what must be gone before an endpoint is. Losing it costs precision only. */
export type SeenWorkers = Map<string, Set<number>>;

export interface VastObserverParts {
  readonly client: VastClient;
  readonly account: Account;
  readonly settings: VastSettings;
  readonly workers: SeenWorkers;
  readonly clock: Clock;
  readonly expected: Expected;
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
  const [group] = groups;
  const seen = await withWorkers(parts, name, endpoint, hints);
  const changed = group && changedIn(endpoint, group, hints, await parts.expected(name));
  return seen.outcome === 'present' && changed ? { ...seen, changed } : seen;
}

const isComplete = ({ endpoints, groups }: Found): boolean => endpoints.length > 0 && groups.length > 0;

async function withWorkers(
  parts: VastObserverParts,
  name: string,
  endpoint: EndpointRow,
  hints: ObserveHints,
): Promise<ObserveResult> {
  const reply = await parts.client.workers.ofEndpoint(endpoint.id);
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
  const instances = hints.purpose === 'absence' ? undefined : await instancesOf(parts, reply.value, hints);
  return judgeWorkers(
    parts,
    name,
    endpoint,
    hints,
    join(reply.value, instances),
    priced(parts, reply.value, instances),
  );
}

function judgeWorkers(
  { settings }: VastObserverParts,
  name: string,
  endpoint: EndpointRow,
  hints: ObserveHints,
  workers: readonly JoinedWorker[],
  price: HourlyPrice | null,
): ObserveResult {
  const detail = describe(workers);
  if (endpoint.endpoint_state?.toLowerCase() === 'stopped') {
    return present('stopped', endpoint, null, `stopped, ${detail}`, null, price);
  }
  const url = `${settings.openaiUrl.replace(/\/+$/, '')}/${name}`;
  const ready = workers.some((worker) => doubtOf(worker) === null);
  // Once it has served, workers that sleep wake on demand.
  const sleeps = hints.url !== null && workers.some(({ status }) => WAKES.has(status));
  return ready || sleeps
    ? present('up', endpoint, url, detail, null, price)
    : present('provisioning', endpoint, null, detail, null, price);
}

/** Instances that the workers can be compared with; undefined when they cannot be listed, which says nothing of them. */
async function instancesOf(
  { account, settings }: VastObserverParts,
  workers: readonly WorkerRow[],
  hints: ObserveHints,
): Promise<readonly InstanceRow[] | undefined> {
  if (workers.length === 0) return [];
  const listed = await account.instances(hints.launching ? settings.launchingAgeMs : settings.steadyAgeMs);
  if (listed.kind !== 'confirmed') return undefined;
  // A worker, or what became of it, may be newer than a list that is shared.
  const isBehind = join(workers, listed.value).some(
    (worker) => worker.instance === null || (worker.status === 'idle' && doubtOf(worker) !== null),
  );
  if (!isBehind) return listed.value;
  const again = await account.instances(0);
  return again.kind === 'confirmed' ? again.value : undefined;
}

const priced = (
  { clock }: VastObserverParts,
  workers: readonly WorkerRow[],
  instances: readonly InstanceRow[] | undefined,
): HourlyPrice | null => (instances === undefined ? null : priceOf(workers, instances, clock.nowMs()));

/** Neither endpoint nor workergroup: workers may be left, and they bill. */
async function leftovers(parts: VastObserverParts, name: string, hints: ObserveHints): Promise<ObserveResult> {
  if (hints.purpose === 'follow' && hints.mayBeInvisible) return { outcome: 'absent' };
  const instances = await parts.account.instances(0);
  if (instances.kind !== 'confirmed') {
    return unknown(`instances cannot be listed (the key needs instance_read): ${instances.detail}`);
  }
  const known = parts.workers.get(name) ?? new Set<number>();
  const groupId = parseHandle(hints.handle)?.groupId;
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

/** `1 idle, 2 loading`, in a fixed order so that only changes differ; what is called ready and is not proven is told apart. */
function describe(workers: readonly JoinedWorker[]): string {
  if (workers.length === 0) return 'no workers';
  const counts = new Map<string, number>();
  for (const worker of workers) counts.set(wordsOf(worker), (counts.get(wordsOf(worker)) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([words, count]) => `${count} ${words}`)
    .join(', ');
}

function wordsOf(worker: JoinedWorker): string {
  const doubt = worker.status === 'idle' ? doubtOf(worker) : null;
  return doubt === null ? clean(worker.status, [], 30) : `idle but not proven (${clean(doubt, [], 60)})`;
}

function present(
  phase: SeenPhase,
  endpoint: EndpointRow | null,
  url: string | null,
  detail: string,
  errorClass: Observation['class'] = null,
  price: HourlyPrice | null = null,
): ObserveResult {
  const providerId = endpoint === null ? null : String(endpoint.id);
  return { outcome: 'present', phase, url, providerId, price, class: errorClass, detail };
}
