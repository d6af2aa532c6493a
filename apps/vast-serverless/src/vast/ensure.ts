import type { EnsureResult, LaunchOrder } from '@davit/provider-kit';
import { type Account, found, type Found } from './account.js';
import type { VastClient } from './client.js';
import type { Expected } from './expectation.js';
import { handleOf } from './handle.js';
import {
  differences,
  policyOf,
  type ServerlessCompute,
  serverlessOf,
  type TemplateReference,
  workergroupOf,
} from './policy.js';
import { writeEndpoint } from './record/endpoint.js';
import type { SecretSource } from './template/candidate.js';
import { ensureTemplate } from './template/create.js';
import type { Failure } from './wire/reply.js';

export interface EnsureParts {
  readonly client: VastClient;
  readonly account: Account;
  readonly secrets: SecretSource;
  readonly expected: Expected;
}

const LEASE_LOST: EnsureResult = { outcome: 'unknown', detail: 'the lease was lost before the call' };
const refused = (detail: string): EnsureResult => ({ outcome: 'refused', class: 'config', detail });
const failureOf = (reply: Failure): EnsureResult =>
  reply.kind === 'refused'
    ? { outcome: 'refused', class: reply.class, detail: reply.detail }
    : { outcome: 'unknown', detail: reply.detail };

/**
 * Makes sure that one endpoint of this name exists, with exactly one workergroup, and that both are as wanted; where the
 * specification writes out its template, that one first. Creating is not safe to repeat, so each is looked for first, and a
 * lost answer stays unknown until a list shows what happened.
 */
export async function ensure(parts: EnsureParts, order: LaunchOrder): Promise<EnsureResult> {
  const { account } = parts;
  const compute = serverlessOf(order.deployment);
  if (!compute) return refused('this backend serves compute mode "serverless" only');
  const listing = await account.all(0);
  if (listing.kind !== 'confirmed') return failureOf(listing);
  const present = found(listing.value, order.externalKey);
  const usedElsewhere = listing.value.groups
    .filter((group) => !present.groups.includes(group))
    .flatMap(({ template_id }) => template_id ?? []);
  const template = await templateFor(parts, order, compute, usedElsewhere);
  if ('outcome' in template) return template;

  const endpointId = present.endpoints[0]?.id ?? (await createEndpoint(parts, order, compute));
  if (typeof endpointId !== 'number') return endpointId;
  const groupId = present.groups[0]?.id ?? (await createGroup(parts, order, compute, endpointId, template));
  if (typeof groupId !== 'number') return groupId;

  const after = await account.all(0);
  if (after.kind !== 'confirmed') return { outcome: 'unknown', detail: `created, but not read back: ${after.detail}` };
  return check(parts, order, compute, template, found(after.value, order.externalKey));
}

async function templateFor(
  { client, secrets, expected }: EnsureParts,
  order: LaunchOrder,
  { templateHash, template }: ServerlessCompute,
  knownIds: readonly number[],
): Promise<TemplateReference | EnsureResult> {
  if (!template) {
    const pinned = (await expected(order.externalKey))?.template;
    if (pinned) return pinned;
    return templateHash === null ? refused('no template is named') : { hash: templateHash };
  }
  const made = await ensureTemplate(client, {
    purpose: order.externalKey,
    content: template,
    secrets: order.deployment.spec.secrets,
    knownIds,
    read: secrets,
    holdsLease: () => order.holdsLease(),
  });
  return made.outcome === 'made' ? { id: made.id, hash: made.hash } : made;
}

async function createEndpoint(
  { client }: EnsureParts,
  order: LaunchOrder,
  compute: ServerlessCompute,
): Promise<number | EnsureResult> {
  if (!(await order.holdsLease())) return LEASE_LOST;
  const made = await client.endpoints.create(order.externalKey, policyOf(compute));
  return made.kind === 'confirmed' ? made.value : failureOf(made);
}

async function createGroup(
  { client }: EnsureParts,
  order: LaunchOrder,
  compute: ServerlessCompute,
  endpointId: number,
  template: TemplateReference,
): Promise<number | EnsureResult> {
  if (!(await order.holdsLease())) return LEASE_LOST;
  const made = await client.workergroups.create(workergroupOf(compute, endpointId, template));
  return made.kind === 'confirmed' ? made.value : failureOf(made);
}

/** What was stored is compared with what was asked for: the service drops and resets fields without a word. */
async function check(
  { client }: EnsureParts,
  order: LaunchOrder,
  compute: ServerlessCompute,
  template: TemplateReference,
  { endpoints, groups }: Found,
): Promise<EnsureResult> {
  const [endpoint] = endpoints;
  const [group] = groups;
  if (!endpoint || !group) return { outcome: 'unknown', detail: 'created, but not listed yet' };
  if (endpoints.length > 1 || groups.length > 1) {
    return refused(`${endpoints.length} endpoints and ${groups.length} workergroups of one name`);
  }
  if (group.template_hash !== template.hash) {
    return refused(`the workergroup uses template ${group.template_hash ?? 'unknown'}, not ${template.hash}`);
  }
  const accepted: EnsureResult = { outcome: 'accepted', handle: handleOf(endpoint, group) };
  const policy = policyOf(compute);
  if (differences(endpoint, policy).length === 0) return accepted;
  const written = await writeEndpoint(client, endpoint.id, { policy }, () => order.holdsLease());
  switch (written.outcome) {
    case 'written':
      return accepted;
    case 'differs':
      return refused(`the endpoint does not keep its policy: ${written.detail}`);
    case 'refused':
    case 'unknown':
      return written;
  }
}
