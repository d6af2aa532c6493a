import { createHash } from 'node:crypto';
import type { MsgHdrs } from 'nats';
import { busHeaders } from '../subjects.js';

const KEYS = [busHeaders.messageId, busHeaders.idempotencyKey] as const;

/**
 * Names an intent by what it says: subject, payload and idempotency headers. JetStream does not keep the reply subject
 * of a stored message, so this is what joins the stored copy to the requester that waits for its outcome.
 */
export function intentDigest(subject: string, payload: Uint8Array, headers: MsgHdrs | undefined): string {
  const hash = createHash('sha256').update(subject).update('\0');
  for (const key of KEYS) hash.update(headers?.get(key) ?? '').update('\0');
  return hash.update(payload).digest('hex').slice(0, 40);
}

/** True when the broker drops a repetition of the intent, which then has no outcome of its own. */
export const isKeyed = (headers: MsgHdrs | undefined): boolean => (headers?.get(busHeaders.messageId) ?? '') !== '';
