import type { Compute, NormalisedDeployment } from '@davit/contracts';
import { type EndpointRow, type Policy, POLICY_FIELDS, type PolicyField } from './api/endpoints.js';
import type { GroupRecord } from './api/workergroups.js';
import type { TemplateIdentity } from './template/create.js';

export type ServerlessCompute = Extract<Compute, { mode: 'serverless' }>;

export const serverlessOf = ({ spec }: NormalisedDeployment): ServerlessCompute | undefined =>
  spec.compute.mode === 'serverless' ? spec.compute : undefined;

/**
 * The scaling policy of an endpoint, every field written out: defaults differ between Vast's own sources, and an update
 * may reset what it does not name. What the documentation calls minimum workers is `cold_workers` here.
 */
export const policyOf = ({ workers }: ServerlessCompute): Policy => ({
  min_load: workers.minLoad,
  min_cold_load: 0,
  target_util: workers.targetUtilisation,
  cold_mult: workers.coldMultiplier,
  cold_workers: workers.cold,
  max_workers: workers.max,
  max_queue_time: workers.maxQueueTimeMs / 1_000,
  target_queue_time: workers.targetQueueTimeMs / 1_000,
  inactivity_timeout: workers.inactivityTimeoutMs / 1_000,
});

/** Fields in which a stored endpoint differs from the policy. */
export function differences(row: EndpointRow, wanted: Policy): readonly PolicyField[] {
  return POLICY_FIELDS.filter((field) => row[field] !== wanted[field]);
}

/** A template by whichever of its identities is known: one that is named in a specification is known by its hash. */
export type TemplateReference = TemplateIdentity | { readonly hash: string };

/** What a workergroup is created with. Scaling fields of a workergroup steer nothing and are not sent. */
export const workergroupOf = (
  compute: ServerlessCompute,
  endpointId: number,
  template: TemplateReference,
): GroupRecord => ({
  endpoint_id: endpointId,
  ...('id' in template ? { template_id: template.id } : {}),
  template_hash: template.hash,
  search_params: compute.search,
  gpu_ram: compute.gpuRamGiB,
});
