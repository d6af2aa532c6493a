import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { created, type Deletion, deletion, done, id, maybeNumber, maybeText } from './fields.js';

/** The scaling policy of an endpoint, by its names on the wire. What the documentation calls minimum workers is `cold_workers`. */
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
/** Every field, as it is sent: loads in load units a second, times in seconds. */
export type Policy = Readonly<Record<PolicyField, number>>;

export const endpointRow = z.object({
  id,
  endpoint_name: z.string(),
  endpoint_state: maybeText,
  min_load: maybeNumber,
  min_cold_load: maybeNumber,
  target_util: maybeNumber,
  cold_mult: maybeNumber,
  cold_workers: maybeNumber,
  max_workers: maybeNumber,
  max_queue_time: maybeNumber,
  target_queue_time: maybeNumber,
  inactivity_timeout: maybeNumber,
});
export type EndpointRow = z.infer<typeof endpointRow>;
export const endpointList = z.object({ results: z.array(endpointRow) }).transform(({ results }) => results);
const oneEndpoint = z.object({ result: endpointRow }).transform(({ result }) => result);

const PATH = '/api/v0/endptjobs/';

/** Endpoints of the account: names, states and the whole scaling policy. */
export class EndpointsApi {
  constructor(private readonly transport: Transport) {}

  async list(): Promise<Reply<readonly EndpointRow[]>> {
    const reply = await this.transport.call({ route: 'GET endptjobs', path: PATH, schema: endpointList });
    // An account without endpoints is told so as an error.
    const isEmpty = reply.kind === 'refused' && reply.status === 400 && /No endpoints/i.test(reply.detail);
    return isEmpty ? { kind: 'confirmed', value: [] } : reply;
  }

  get(endpointId: number): Promise<Reply<EndpointRow>> {
    return this.transport.call({ route: 'GET endptjobs', path: `${PATH}${endpointId}/`, schema: oneEndpoint });
  }

  /** Not safe to repeat: after an answer that is unknown, look for the name first. */
  create(endpointName: string, policy: Policy): Promise<Reply<number>> {
    const body = { endpoint_name: endpointName, ...policy };
    return this.transport.call({ route: 'POST endptjobs', path: PATH, schema: created, body });
  }

  /** Takes the whole record: what is left out may be reset to a default. Use {@link writeEndpoint}, which reads it back. */
  put(endpointId: number, record: Policy & { readonly endpoint_name: string; readonly endpoint_state: string }) {
    const path = `${PATH}${endpointId}/`;
    const body = { endptjob_id: endpointId, ...record };
    return this.transport.call({ route: 'PUT endptjobs', path, schema: done, body });
  }

  delete(endpointId: number): Promise<Reply<Deletion>> {
    const path = `${PATH}${endpointId}/`;
    return this.transport.call({ route: 'DELETE endptjobs', path, schema: deletion });
  }
}
