import { checkNewEvent } from '@davit/contracts';
import type { Ids } from '@davit/ports';
import { InvalidAppendError } from '../errors.js';
import type { AppendContext, StreamWrite } from '../event-log.js';
import { eventIdSource } from './event-ids.js';

/** Keeps names inside what a PostgreSQL index row can hold, with room to spare. */
const MAX_NAME_LENGTH = 512;
/** Half of the broker's default message limit, so that every event that can be written can be mirrored. */
export const MAX_EVENT_BYTES = 512 * 1024;

const STREAM_NAME = /^[a-z]+\/.+$/s;
/** PostgreSQL text holds neither NUL nor half a surrogate pair. */
const NOT_STORABLE = /\0|\p{Surrogate}/u;

export interface PreparedEvent {
  readonly id: string;
  readonly type: string;
  readonly dataschema: string;
  /** Index of the write that the event belongs to. */
  readonly write: number;
  /** 1 for the first event of its write. */
  readonly offset: number;
  /** JSON text, stored as it is. */
  readonly data: string;
}

/** An append that has been checked against the catalogue and serialised; what both logs work from. */
export interface PreparedAppend {
  readonly context: AppendContext;
  readonly writes: readonly { readonly stream: string; readonly expectedVersion: number | 'any' }[];
  readonly events: readonly PreparedEvent[];
  /** Size of the serialised data, for bounding groups. */
  readonly bytes: number;
}

/**
 * @throws InvalidEventError for an event that the catalogue does not allow
 * @throws InvalidAppendError for names or sizes that the log does not take, or two writes to one stream
 */
export function prepareAppend(writes: readonly StreamWrite[], context: AppendContext, ids: Ids): PreparedAppend {
  checkNames(writes, context);
  const nextId = eventIdSource(ids, context.tenant, context.idempotency?.key);
  const events: PreparedEvent[] = [];
  let bytes = 0;
  for (const [write, { events: newEvents }] of writes.entries()) {
    for (const [index, event] of newEvents.entries()) {
      const { dataschema } = checkNewEvent(event);
      const data = JSON.stringify(event.data);
      const size = Buffer.byteLength(data);
      if (size > MAX_EVENT_BYTES) {
        throw new InvalidAppendError(`${event.type} has ${size} bytes of data; at most ${MAX_EVENT_BYTES} are allowed`);
      }
      bytes += size;
      events.push({ id: nextId(events.length), type: event.type, dataschema, write, offset: index + 1, data });
    }
  }
  return {
    context,
    writes: writes.map(({ stream, expectedVersion }) => ({ stream, expectedVersion })),
    events,
    bytes,
  };
}

function checkNames(writes: readonly StreamWrite[], context: AppendContext): void {
  const seen = new Set<string>();
  for (const { stream, expectedVersion } of writes) {
    if (!STREAM_NAME.test(stream)) throw new InvalidAppendError(`stream "${stream}" is not <category>/<key>`);
    if (seen.has(stream)) throw new InvalidAppendError(`stream "${stream}" is written twice; join the two writes`);
    seen.add(stream);
    if (expectedVersion !== 'any') checkVersion('expected', expectedVersion, stream);
  }
  for (const { stream, version } of context.requires ?? []) {
    if (!STREAM_NAME.test(stream)) throw new InvalidAppendError(`required stream "${stream}" is not <category>/<key>`);
    if (seen.has(stream)) {
      throw new InvalidAppendError(
        `stream "${stream}" is required twice, or also written; its write expects a version`,
      );
    }
    seen.add(stream);
    checkVersion('required', version, stream);
  }
  const { tenant, service, actor, causationId, correlationId, traceparent, lease, idempotency, inbox } = context;
  const names = {
    tenant,
    service,
    actor,
    causationId,
    correlationId,
    traceparent,
    lease: lease?.name,
    idempotencyKey: idempotency?.key,
    fingerprint: idempotency?.fingerprint,
    consumer: inbox?.consumer,
    messageId: inbox?.messageId,
  };
  for (const [field, value] of [...Object.entries(names), ...[...seen].map((name) => ['stream', name] as const)]) {
    if (value === undefined) continue;
    if (value.length === 0) throw new InvalidAppendError(`${field} is empty`);
    if (value.length > MAX_NAME_LENGTH) {
      throw new InvalidAppendError(`${field} has ${value.length} characters; at most ${MAX_NAME_LENGTH} are allowed`);
    }
    if (NOT_STORABLE.test(value)) throw new InvalidAppendError(`${field} is not well-formed text`);
  }
}

function checkVersion(what: 'expected' | 'required', version: number, stream: string): void {
  if (Number.isSafeInteger(version) && version >= 0) return;
  throw new InvalidAppendError(`${what} version ${version} of "${stream}" is not a whole number ≥ 0`);
}
