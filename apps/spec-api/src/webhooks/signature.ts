import { createHmac } from 'node:crypto';

/** Shortest key that Standard Webhooks allows, in bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;
const FORM = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * The key of a signing secret, written `whsec_` and base64, as Standard Webhooks has it; undefined for anything else.
 * See https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signingKey(secret: string): Buffer | undefined {
  const base64 = FORM.exec(secret)?.[1];
  if (base64 === undefined) return undefined;
  const key = Buffer.from(base64, 'base64');
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES ? key : undefined;
}

/** Headers of a signed delivery. The id is the event's, and stays the same however often it is sent. */
export function signedHeaders(key: Buffer, id: string, nowMs: number, body: string): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(nowMs / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
