import { z } from 'zod';

/**
 * The parts of Vast's answers that are read. Rows carry live keys in the real service; a field that is not named here is
 * dropped where the answer is parsed and goes nowhere (law 13).
 */
const id = z.int().positive();
const number = z.number().nullish();

export const POLICY_FIELDS = [
  'min_load',
  'min_cold_load',
  'target_util',
  'cold_mult',
  'cold_workers',
  'max_workers',
  'max_queue_time',
  'target_queue_time',
  'inactivity_timeout',
] as const;
export type PolicyField = (typeof POLICY_FIELDS)[number];

export const endpointRow = z.object({
  id,
  endpoint_name: z.string(),
  endpoint_state: z.string().nullish(),
  min_load: number,
  min_cold_load: number,
  target_util: number,
  cold_mult: number,
  cold_workers: number,
  max_workers: number,
  max_queue_time: number,
  target_queue_time: number,
  inactivity_timeout: number,
});
export type EndpointRow = z.infer<typeof endpointRow>;
export const endpointList = z.object({ results: z.array(endpointRow) }).transform(({ results }) => results);

export const groupRow = z.object({
  id,
  endpoint_id: id.nullish(),
  endpoint_name: z.string().nullish(),
  template_hash: z.string().nullish(),
});
export type GroupRow = z.infer<typeof groupRow>;
export const groupList = z.object({ results: z.array(groupRow) }).transform(({ results }) => results);

/** A new thing's id, which is `result` on one route and `id` on another. */
export const created = z
  .object({ id: id.optional(), result: id.optional() })
  .transform((body, context) => body.id ?? body.result ?? missing(context));

function missing(context: { addIssue(issue: { code: 'custom'; message: string }): void }): never {
  context.addIssue({ code: 'custom', message: 'no id' });
  return z.NEVER;
}

export const done = z.object({}).transform(() => null);

export const deletion = z.object({
  deleted_workers: z.array(id).default([]),
  failed_workers: z.array(id).default([]),
});
export type Deletion = z.infer<typeof deletion>;

const workerRow = z.object({ id, status: z.string().nullish() });
export type WorkerRow = z.infer<typeof workerRow>;
export const workerList = z.union([
  z.array(workerRow),
  z.object({ workers: z.array(workerRow) }).transform(({ workers }) => workers),
]);

const instanceRow = z.object({ id, label: z.string().nullish() });
export type InstanceRow = z.infer<typeof instanceRow>;
export const instancePage = z.object({ instances: z.array(instanceRow), next_token: z.string().nullish() });
