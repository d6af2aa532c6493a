import { z } from 'zod';
import type { Reply } from '../wire/reply.js';
import type { Transport } from '../wire/transport.js';
import { idText, maybeIdText, maybeSignedAmount } from './fields.js';

/** Of the account only what is needed: the rest of the record is personal, and may hold a key. */
const account = z.object({
  id: idText,
  key_id: maybeIdText,
  /** USD. */
  credit: maybeSignedAmount,
  balance: maybeSignedAmount,
});
export type AccountRow = z.infer<typeof account>;

/** Who the key belongs to, and what money there is. */
export class UsersApi {
  constructor(private readonly transport: Transport) {}

  current(): Promise<Reply<AccountRow>> {
    const path = '/api/v0/users/current/';
    return this.transport.call({ route: 'GET users', path, schema: account, decimals: true });
  }
}
