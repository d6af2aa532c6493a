import { repeatedKey } from '@davit/contracts';
import type { MsgHdrs, NatsConnection } from 'nats';
import { PayloadTooLargeError } from './errors.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The broker's own limit on one message, headers counted; its default until a server has said otherwise. */
export const maxPayloadBytes = (connection: NatsConnection): number => connection.info?.max_payload ?? 1_048_576;

/**
 * JSON text of a body, ready to send.
 * @throws PayloadTooLargeError when it exceeds `limitBytes`
 */
export function encodeJson(subject: string, body: unknown, limitBytes: number): Uint8Array {
  const payload = encoder.encode(JSON.stringify(body ?? null));
  checkSize(subject, payload.length, limitBytes);
  return payload;
}

/** @throws PayloadTooLargeError when `sizeBytes` exceeds `limitBytes` */
export function checkSize(subject: string, sizeBytes: number, limitBytes: number): void {
  if (sizeBytes > limitBytes) throw new PayloadTooLargeError(subject, sizeBytes, limitBytes);
}

/** What headers add to a message: a first line, one line a value, and an empty one. */
export function headerBytes(headers: MsgHdrs | undefined): number {
  if (!headers) return 0;
  let bytes = 'NATS/1.0\r\n\r\n'.length;
  for (const key of headers.keys()) {
    for (const value of headers.values(key)) bytes += key.length + Buffer.byteLength(value) + ': \r\n'.length;
  }
  return bytes;
}

export type Decoded = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** Reads a payload as UTF-8 JSON. */
export function decodeJson(payload: Uint8Array): Decoded {
  try {
    return { ok: true, value: JSON.parse(decoder.decode(payload)) };
  } catch (error) {
    return { ok: false, reason: `payload is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Reads what somebody asks for. A key that is there twice would lose half of it without a word. */
export function decodeRequest(payload: Uint8Array): Decoded {
  const decoded = decodeJson(payload);
  const repeated = decoded.ok ? repeatedKey(decoder.decode(payload)) : undefined;
  if (!repeated) return decoded;
  return { ok: false, reason: `payload holds the key ${JSON.stringify(repeated.key)} twice; write it once` };
}
