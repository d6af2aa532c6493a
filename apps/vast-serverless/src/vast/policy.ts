import type { Compute, NormalisedDeployment } from '@davit/contracts';
import { type EndpointRow, POLICY_FIELDS, type PolicyField } from './rows.js';

export type ServerlessCompute = Extract<Compute, { mode: 'serverless' }>;

export const serverlessOf = ({ spec }: NormalisedDeployment): ServerlessCompute | undefined =>
  spec.compute.mode === 'serverless' ? spec.compute : undefined;

/**
 * The scaling policy of an endpoint, every field written out: defaults differ between Vast's own sources, and an update
 * may reset what it does not name. What the documentation calls minimum workers is `cold_workers` here.
 */
export const policyOf = ({ workers }: ServerlessCompute): Readonly<Record<PolicyField, number>> => ({
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
export function differences(row: EndpointRow, wanted: Readonly<Record<PolicyField, number>>): readonly PolicyField[] {
  return POLICY_FIELDS.filter((field) => row[field] !== wanted[field]);
}

/** What a workergroup is created with. Scaling fields of a workergroup steer nothing and are not sent. */
export const workergroupOf = (compute: ServerlessCompute, endpointId: number): object => ({
  endpoint_id: endpointId,
  template_hash: compute.templateHash,
  search_params: compute.search,
  gpu_ram: compute.gpuRamGiB,
});
