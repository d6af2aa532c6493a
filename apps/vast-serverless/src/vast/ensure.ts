import type { EnsureResult, LaunchOrder } from '@davit/provider-kit';
import { type Account, found, type Found } from './account.js';
import type { VastClient } from './client.js';
import { differences, policyOf, type ServerlessCompute, serverlessOf, workergroupOf } from './policy.js';
import type { Reply } from './reply.js';

type Failure = Exclude<Reply<unknown>, { kind: 'confirmed' }>;

const LEASE_LOST: EnsureResult = { outcome: 'unknown', detail: 'the lease was lost before the call' };
const refused = (detail: string): EnsureResult => ({ outcome: 'refused', class: 'config', detail });
const failureOf = (reply: Failure): EnsureResult =>
  reply.kind === 'refused'
    ? { outcome: 'refused', class: reply.class, detail: reply.detail }
    : { outcome: 'unknown', detail: reply.detail };

/** The log's own name of a launch: ids of endpoint and workergroup. */
export const handleOf = (endpointId: number, groupId: number): string => `${endpointId}/${groupId}`;

/** Id of the workergroup in a handle. */
export const groupIdOf = (handle: string | null): number | undefined => {
  const text = handle?.split('/')[1];
  return text === undefined ? undefined : Number(text);
};

/**
 * Makes sure that one endpoint of this name exists, with exactly one workergroup, and that both are as wanted. Creating is
 * not safe to repeat, so each is looked for first, and a lost answer stays unknown until a list shows what happened.
 */
export async function ensure(client: VastClient, account: Account, order: LaunchOrder): Promise<EnsureResult> {
  const compute = serverlessOf(order.deployment);
  if (!compute) return refused('this backend serves compute mode "serverless" only');
  const listing = await account.all(0);
  if (listing.kind !== 'confirmed') return failureOf(listing);
  const present = found(listing.value, order.externalKey);

  const endpointId = present.endpoints[0]?.id ?? (await createEndpoint(client, order, compute));
  if (typeof endpointId !== 'number') return endpointId;
  const groupId = present.groups[0]?.id ?? (await createGroup(client, order, compute, endpointId));
  if (typeof groupId !== 'number') return groupId;

  const after = await account.all(0);
  if (after.kind !== 'confirmed') return { outcome: 'unknown', detail: `created, but not read back: ${after.detail}` };
  return check(client, account, order, compute, found(after.value, order.externalKey));
}

async function createEndpoint(
  client: VastClient,
  order: LaunchOrder,
  compute: ServerlessCompute,
): Promise<number | EnsureResult> {
  if (!(await order.holdsLease())) return LEASE_LOST;
  const made = await client.createEndpoint({ endpoint_name: order.externalKey, ...policyOf(compute) });
  return made.kind === 'confirmed' ? made.value : failureOf(made);
}

async function createGroup(
  client: VastClient,
  order: LaunchOrder,
  compute: ServerlessCompute,
  endpointId: number,
): Promise<number | EnsureResult> {
  if (!(await order.holdsLease())) return LEASE_LOST;
  const made = await client.createWorkergroup(workergroupOf(compute, endpointId));
  return made.kind === 'confirmed' ? made.value : failureOf(made);
}

/** What was stored is compared with what was asked for: the service drops and resets fields without a word. */
async function check(
  client: VastClient,
  account: Account,
  order: LaunchOrder,
  compute: ServerlessCompute,
  present: Found,
): Promise<EnsureResult> {
  const [endpoint] = present.endpoints;
  const [group] = present.groups;
  if (!endpoint || !group) return { outcome: 'unknown', detail: 'created, but not listed yet' };
  if (present.endpoints.length > 1 || present.groups.length > 1) {
    return refused(`${present.endpoints.length} endpoints and ${present.groups.length} workergroups of one name`);
  }
  if (group.template_hash !== compute.templateHash) {
    return refused(`the workergroup uses template ${group.template_hash ?? 'unknown'}, not ${compute.templateHash}`);
  }
  const wanted = policyOf(compute);
  if (differences(endpoint, wanted).length === 0) {
    return { outcome: 'accepted', handle: handleOf(endpoint.id, group.id) };
  }
  if (!(await order.holdsLease())) return LEASE_LOST;
  const put = await client.updateEndpoint(endpoint.id, { endpoint_name: order.externalKey, ...wanted });
  if (put.kind !== 'confirmed') return failureOf(put);
  const again = await account.all(0);
  if (again.kind !== 'confirmed') return failureOf(again);
  const stored = found(again.value, order.externalKey).endpoints[0];
  const left = stored ? differences(stored, wanted) : [];
  return stored && left.length === 0
    ? { outcome: 'accepted', handle: handleOf(endpoint.id, group.id) }
    : refused(`the endpoint does not keep ${left.join(', ') || 'its name'}`);
}
