import { canonicalJson, digestOf } from '@davit/domain';
import type { GroupRow, SearchQuery } from '../api/workergroups.js';
import type { VastClient } from '../client.js';
import type { TemplateIdentity } from '../template/create.js';
import { describe, type Difference, difference, failureOf, refused, type WriteResult } from './result.js';

export interface GroupChange {
  /** By id and hash: a hash alone may be taken for an older template's. */
  readonly template: TemplateIdentity;
}

/**
 * Changes the template of a workergroup: reads the record, writes all of it with the same search, reads it back and compares.
 * An update that does not carry the search replaces it with a default, which starts a rolling update by itself.
 */
export async function writeWorkergroup(
  client: VastClient,
  groupId: number,
  change: GroupChange,
  holdsLease: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<WriteResult<GroupRow>> {
  const before = await readGroup(client, groupId);
  if ('outcome' in before) return before;
  const { endpoint_id, search_query, gpu_ram } = before;
  const missing = Object.entries({ endpoint_id, search_query, gpu_ram }).flatMap(([field, value]) =>
    value === null || value === undefined ? [field] : [],
  );
  if (!isNumber(endpoint_id) || !isNumber(gpu_ram) || !search_query) {
    return refused(`workergroup ${groupId} does not tell its ${missing.join(', ')}; a write would replace that`);
  }
  const { id: template_id, hash: template_hash } = change.template;
  const record = { endpoint_id, template_id, template_hash, search_params: search_query, gpu_ram };
  if (!(await holdsLease())) return { outcome: 'unknown', detail: 'the lease was lost before the call' };
  const put = await client.workergroups.put(groupId, { ...record, launch_args: before.launch_args });
  if (put.kind === 'refused') return failureOf(put);
  const after = await readGroup(client, groupId);
  if ('outcome' in after) return after;
  const differences = [
    ...difference('endpoint_id', endpoint_id, after.endpoint_id ?? null),
    ...difference('template_id', template_id, after.template_id ?? null),
    ...difference('template_hash', template_hash, after.template_hash ?? null),
    ...difference('gpu_ram', gpu_ram, after.gpu_ram ?? null),
    ...searchDifference(search_query, after.search_query ?? null),
    ...launchDifference(before, after),
  ];
  if (differences.length === 0) return { outcome: 'written', before, after };
  if (put.kind === 'unknown') return { outcome: 'unknown', detail: `${put.detail}; ${describe(differences)}` };
  return { outcome: 'differs', after, differences, detail: `workergroup ${groupId}: ${describe(differences)}` };
}

/** Digest by which a search is known again; `none` where the service shows none. */
export const searchDigest = (query: SearchQuery | null | undefined): string =>
  query ? digestOf(query).slice(0, 16) : 'none';

const searchDifference = (sent: SearchQuery, stored: SearchQuery | null): readonly Difference[] =>
  searchDigest(sent) === searchDigest(stored)
    ? []
    : [{ field: 'search_query', sent: canonicalJson(sent), stored: stored ? canonicalJson(stored) : 'nothing' }];

/** Told without the values, which may be secret. */
const launchDifference = (before: GroupRow, after: GroupRow): readonly Difference[] =>
  before.launch_args?.reveal() === after.launch_args?.reveal()
    ? []
    : [{ field: 'launch_args', sent: 'what was stored', stored: 'something else' }];

async function readGroup(client: VastClient, groupId: number): Promise<GroupRow | WriteResult<never>> {
  const list = await client.workergroups.list();
  if (list.kind !== 'confirmed') return { outcome: 'unknown', detail: `workergroup ${groupId}: ${list.detail}` };
  return list.value.find(({ id }) => id === groupId) ?? refused(`workergroup ${groupId} is not there`);
}

const isNumber = (value: unknown): value is number => typeof value === 'number';
