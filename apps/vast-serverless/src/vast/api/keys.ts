import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { id } from './fields.js';

const keyRow = z
  .object({
    id,
    permissions: z
      .object({ api: z.record(z.string(), z.unknown()) })
      .nullish()
      .catch(null),
  })
  .transform(({ id: keyId, permissions }) => ({
    id: keyId,
    /** Names of groups; null where the key says nothing readable of them. */
    groups: permissions ? Object.keys(permissions.api).toSorted() : null,
  }));
export type KeyRow = z.infer<typeof keyRow>;
const keyList = z.object({ apikeys: z.array(keyRow) }).transform(({ apikeys }) => apikeys);

/** Keys of the account, read only: Davit makes none and widens none. */
export class KeysApi {
  constructor(private readonly transport: Transport) {}

  list(): Promise<Reply<readonly KeyRow[]>> {
    return this.transport.call({ route: 'GET apikeys', path: '/api/v0/auth/apikeys/', schema: keyList });
  }
}
