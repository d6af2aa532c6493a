import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { idText, maybeAmount, maybeIdText, maybeNumberText, maybeText } from './fields.js';

const ports = z
  .record(
    z.string(),
    z
      .array(z.object({ HostPort: z.string() }))
      .nullish()
      .catch(null),
  )
  .nullish()
  .catch(null);

/** A worker seen as the instance that it is. The same record holds tokens and the environment, which are dropped here. */
const instanceRow = z.object({
  id: idText,
  label: maybeText,
  actual_status: maybeText,
  intended_status: maybeText,
  template_id: maybeIdText,
  template_hash_id: maybeText,
  image_uuid: maybeText,
  /** Seconds since 1970. */
  start_date: maybeNumberText,
  gpu_name: maybeText,
  num_gpus: maybeNumberText,
  /** USD an hour, the disk in it and the disk not in it. */
  dph_total: maybeAmount,
  dph_base: maybeAmount,
  public_ipaddr: maybeText,
  ports,
});
export type InstanceRow = z.infer<typeof instanceRow>;

export const instancePage = z.object({ instances: z.array(instanceRow), next_token: z.string().nullish() });
/** One object under a plural key. */
const oneInstance = z.object({ instances: instanceRow }).transform(({ instances }) => instances);
const destroyed = z.object({ success: z.literal(true) }).transform(() => null);

const MAX_PAGES = 200;

/** Instances of the account, workers among them: a worker's id is its instance's id. */
export class InstancesApi {
  constructor(private readonly transport: Transport) {}

  /** Every instance, page by page. */
  async list(): Promise<Reply<readonly InstanceRow[]>> {
    const found: InstanceRow[] = [];
    let after = '';
    for (let page = 0; page < MAX_PAGES; page++) {
      const reply = await this.transport.call({
        route: 'GET instances',
        path: `/api/v1/instances/?limit=25${after}`,
        schema: instancePage,
        decimals: true,
      });
      if (reply.kind !== 'confirmed') return reply;
      found.push(...reply.value.instances);
      const token = reply.value.next_token;
      if (token === null || token === undefined || token === '') return { kind: 'confirmed', value: found };
      after = `&after_token=${encodeURIComponent(token)}`;
    }
    return { kind: 'unknown', detail: `the list of instances has more than ${MAX_PAGES} pages` };
  }

  get(instanceId: number): Promise<Reply<InstanceRow>> {
    const path = `/api/v0/instances/${instanceId}/`;
    return this.transport.call({ route: 'GET instance', path, schema: oneInstance, decimals: true });
  }

  /** With the emergency key alone, which is set only where somebody wants this to be possible. */
  destroy(instanceId: number): Promise<Reply<null>> {
    const path = `/api/v0/instances/${instanceId}/`;
    return this.transport.call({ route: 'DELETE instance', path, schema: destroyed });
  }
}
