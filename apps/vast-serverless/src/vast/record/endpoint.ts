import { type EndpointRow, type Policy, POLICY_FIELDS } from '../api/endpoints.js';
import type { VastClient } from '../client.js';
import { describe, type Difference, difference, failureOf, refused, type WriteResult } from './result.js';

export type EndpointState = 'active' | 'suspended' | 'stopped';

export interface EndpointChange {
  /** Fields that are not named keep the value that is stored. */
  readonly policy: Partial<Policy>;
  readonly state?: EndpointState;
}

/**
 * Changes an endpoint: reads its record, merges, writes every field of it, reads it back and compares. The service may set
 * a field that an update does not name to a default of its own, which can be more workers than anybody wants to pay for.
 */
export async function writeEndpoint(
  client: VastClient,
  endpointId: number,
  change: EndpointChange,
  holdsLease: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<WriteResult<EndpointRow>> {
  const before = await readEndpoint(client, endpointId);
  if ('outcome' in before) return before;
  const policy = mergedPolicy(before, change.policy);
  if ('missing' in policy) {
    return refused(`endpoint ${endpointId} has no value of ${policy.missing.join(', ')}, and none was given`);
  }
  const endpoint_state = change.state ?? before.endpoint_state?.toLowerCase() ?? 'active';
  const record = { endpoint_name: before.endpoint_name, endpoint_state, ...policy.merged };
  if (!(await holdsLease())) return { outcome: 'unknown', detail: 'the lease was lost before the call' };
  const put = await client.endpoints.put(endpointId, record);
  if (put.kind === 'refused') return failureOf(put);
  // A lost answer is made up for by what is stored.
  const after = await readEndpoint(client, endpointId);
  if ('outcome' in after) return after;
  const differences = compareEndpoint(record, after);
  if (differences.length === 0) return { outcome: 'written', before, after };
  if (put.kind === 'unknown') return { outcome: 'unknown', detail: `${put.detail}; ${describe(differences)}` };
  return { outcome: 'differs', after, differences, detail: `endpoint ${endpointId}: ${describe(differences)}` };
}

function compareEndpoint(
  record: Policy & { readonly endpoint_name: string; readonly endpoint_state: string },
  row: EndpointRow,
): readonly Difference[] {
  return [
    ...POLICY_FIELDS.flatMap((field) => difference(field, record[field], row[field] ?? null)),
    ...difference('endpoint_name', record.endpoint_name, row.endpoint_name),
    ...difference('endpoint_state', record.endpoint_state, row.endpoint_state?.toLowerCase() ?? 'active'),
  ];
}

async function readEndpoint(client: VastClient, endpointId: number): Promise<EndpointRow | WriteResult<never>> {
  const list = await client.endpoints.list();
  if (list.kind !== 'confirmed') return { outcome: 'unknown', detail: `endpoint ${endpointId}: ${list.detail}` };
  return list.value.find(({ id }) => id === endpointId) ?? refused(`endpoint ${endpointId} is not there`);
}

function mergedPolicy(
  row: EndpointRow,
  change: Partial<Policy>,
): { readonly merged: Policy } | { readonly missing: readonly string[] } {
  const values = POLICY_FIELDS.map((field) => [field, change[field] ?? row[field] ?? null] as const);
  const missing = values.filter(([, value]) => value === null).map(([field]) => field);
  // Every field has a value now.
  return missing.length > 0 ? { missing } : { merged: Object.fromEntries(values) as Policy };
}
