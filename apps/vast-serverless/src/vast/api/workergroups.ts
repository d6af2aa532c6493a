import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import { Secret } from '../wire/secret.js';
import type { Transport } from '../wire/transport.js';
import { created, type Deletion, deletion, done, id, maybeNumber, maybeText } from './fields.js';

/** A search as the service gives it back: `{field: {operator: value}}`. Written as `search_params`. */
const searchQuery = z.record(z.string(), z.record(z.string(), z.json())).nullish().catch(null);
export type SearchQuery = Exclude<z.infer<typeof searchQuery>, null | undefined>;

export const groupRow = z.object({
  id,
  endpoint_id: id.nullish().catch(null),
  endpoint_name: maybeText,
  template_id: id.nullish().catch(null),
  template_hash: maybeText,
  search_query: searchQuery,
  gpu_ram: maybeNumber,
  /** May hold credentials; kept to be sent back, and told to nobody. */
  launch_args: z
    .string()
    .nullish()
    .catch(null)
    .transform((text) => (text === null || text === undefined || text === '' ? null : new Secret(text))),
});
export type GroupRow = z.infer<typeof groupRow>;
export const groupList = z.object({ results: z.array(groupRow) }).transform(({ results }) => results);

/** What is written of a workergroup. Its scaling fields steer nothing and are not sent. */
export interface GroupRecord {
  readonly endpoint_id: number;
  readonly template_id?: number;
  readonly template_hash?: string;
  /** Must be there: a service that is told none takes its default, which is a change of the search. */
  readonly search_params: string | SearchQuery;
  readonly gpu_ram: number;
  readonly launch_args?: Secret<string> | null;
}

const wire = ({ launch_args, ...record }: GroupRecord): object => ({
  ...record,
  ...(launch_args ? { launch_args: launch_args.reveal() } : {}),
});

const PATH = '/api/v0/workergroups/';

/** Workergroups of the account. There is no reading one by its id. */
export class WorkergroupsApi {
  constructor(private readonly transport: Transport) {}

  async list(): Promise<Reply<readonly GroupRow[]>> {
    const reply = await this.transport.call({ route: 'GET workergroups', path: PATH, schema: groupList });
    const isEmpty =
      reply.kind === 'refused' && reply.status === 400 && /^HTTP 400: \w+: No \w*groups?/i.test(reply.detail);
    return isEmpty ? { kind: 'confirmed', value: [] } : reply;
  }

  /** Not safe to repeat: after an answer that is unknown, look for the endpoint's groups first. */
  create(record: GroupRecord): Promise<Reply<number>> {
    return this.transport.call({ route: 'POST workergroups', path: PATH, schema: created, body: wire(record) });
  }

  /** Takes the whole record. Use {@link writeWorkergroup}, which reads it back. */
  put(groupId: number, record: GroupRecord): Promise<Reply<null>> {
    const path = `${PATH}${groupId}/`;
    const body = { autojob_id: groupId, ...wire(record) };
    return this.transport.call({ route: 'PUT workergroups', path, schema: done, body });
  }

  delete(groupId: number): Promise<Reply<Deletion>> {
    const path = `${PATH}${groupId}/`;
    return this.transport.call({ route: 'DELETE workergroups', path, schema: deletion });
  }
}
