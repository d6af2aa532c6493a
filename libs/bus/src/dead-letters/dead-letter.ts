import { type MsgHdrs, headers as newHeaders } from 'nats';

/**
 * Why a message was set aside: it cannot be read or its handler called it poison, it failed too often, nobody handles
 * its subject, or another consumer ended it.
 */
export type DeadLetterKind = 'poison' | 'max-deliveries' | 'no-handler' | 'terminated';

/** A message that was set aside, with everything needed to understand it and to send it again. */
export interface DeadLetter {
  readonly kind: DeadLetterKind;
  readonly reason: string;
  /** Where it was: stream, its sequence there, and the subject it was sent to. */
  readonly stream: string;
  readonly streamSequence: number;
  readonly subject: string;
  readonly consumer: string;
  readonly deliveries: number;
  /** When the broker stored it, in milliseconds since the epoch. */
  readonly storedAtMs: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** The payload, byte for byte. */
  readonly payload: Uint8Array;
}

const ORIGINAL = 'Davit-Original-';
const FIELD = {
  kind: 'Davit-Dead-Kind',
  reason: 'Davit-Dead-Reason',
  stream: 'Davit-Dead-Stream',
  streamSequence: 'Davit-Dead-Sequence',
  subject: 'Davit-Dead-Subject',
  consumer: 'Davit-Dead-Consumer',
  deliveries: 'Davit-Dead-Deliveries',
  storedAtMs: 'Davit-Dead-Stored-At-Ms',
} as const;

const MAX_REASON = 500;
/** Room that the facts of a dead letter may take beside payload and original headers. */
export const FACTS_BYTES = 4_096;

export const headersOf = (headers: MsgHdrs | undefined): Record<string, string[]> =>
  Object.fromEntries([...(headers?.keys() ?? [])].map((key) => [key, headers?.values(key) ?? []]));

/** Facts as headers, so that the payload stays as it was. Original headers carry a prefix: none may act a second time. */
export function deadLetterHeaders(letter: DeadLetter, maxOriginalBytes: number): MsgHdrs {
  const result = newHeaders();
  for (const [field, name] of Object.entries(FIELD)) {
    const value = String(letter[field as keyof typeof FIELD]);
    result.set(name, printable(value));
  }
  let spent = 0;
  for (const [key, values] of Object.entries(letter.headers)) {
    for (const value of values) {
      spent += ORIGINAL.length + key.length + Buffer.byteLength(value) + 4;
      if (spent <= maxOriginalBytes) result.append(ORIGINAL + key, printable(value));
    }
  }
  return result;
}

/** Reads a message of DEADLETTERS back; undefined when it is not a dead letter (an advisory, or foreign). */
export function readDeadLetter(message: { headers?: MsgHdrs; data: Uint8Array }): DeadLetter | undefined {
  const { headers } = message;
  const kind = headers?.get(FIELD.kind);
  if (!headers || !isKind(kind)) return undefined;
  const original = [...headers.keys()].filter((key) => key.toLowerCase().startsWith(ORIGINAL.toLowerCase()));
  return {
    kind,
    reason: headers.get(FIELD.reason),
    stream: headers.get(FIELD.stream),
    streamSequence: Number(headers.get(FIELD.streamSequence)),
    subject: headers.get(FIELD.subject),
    consumer: headers.get(FIELD.consumer),
    deliveries: Number(headers.get(FIELD.deliveries)),
    storedAtMs: Number(headers.get(FIELD.storedAtMs)),
    headers: Object.fromEntries(original.map((key) => [key.slice(ORIGINAL.length), headers.values(key)])),
    payload: message.data,
  };
}

const isKind = (text: string | undefined): text is DeadLetterKind =>
  text === 'poison' || text === 'max-deliveries' || text === 'no-handler' || text === 'terminated';

// A header ends at the line; a reason may be a whole report.
const printable = (value: string): string => value.replace(/[\r\n]+/g, ' ').slice(0, MAX_REASON);
