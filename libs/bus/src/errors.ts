import { RpcException } from '@nestjs/microservices';

/** The first connection to the broker was given up. */
export class BusUnavailableError extends Error {
  readonly code = 'bus-unavailable';
  constructor(url: string, reason: string, cause?: unknown) {
    super(`no connection to the broker at ${url}: ${reason}`, { cause });
    this.name = 'BusUnavailableError';
  }
}

/** A message that the broker would refuse. Raised before anything is sent. */
export class PayloadTooLargeError extends Error {
  readonly code = 'payload-too-large';
  constructor(
    readonly subject: string,
    readonly sizeBytes: number,
    readonly limitBytes: number,
  ) {
    super(`message for ${subject} has ${sizeBytes} bytes; at most ${limitBytes} are accepted: send a smaller body`);
    this.name = 'PayloadTooLargeError';
  }
}

/** Two handlers were bound to one pattern: the second would run silently after the first. */
export class DuplicateHandlerError extends Error {
  readonly code = 'duplicate-handler';
  constructor(pattern: string) {
    super(`pattern ${pattern} has two handlers; keep one and call the other part from it`);
    this.name = 'DuplicateHandlerError';
  }
}

/** A stream of that name exists with a property that cannot be changed in place. */
export class StreamConflictError extends Error {
  readonly code = 'stream-conflict';
  constructor(stream: string, property: string, found: string, wanted: string) {
    super(`stream ${stream} has ${property} ${found}, wanted ${wanted}; empty it and delete it, then start again`);
    this.name = 'StreamConflictError';
  }
}

/**
 * Thrown by a handler for a message that no repetition can mend: it is set aside with its payload at once.
 * An RpcException, because Nest replaces the message of every other error before the transport sees it.
 */
export class PoisonMessageError extends RpcException {
  readonly code = 'poison-message';
  constructor(reason: string) {
    super({ code: 'poison-message', message: reason });
    this.name = 'PoisonMessageError';
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** True for a {@link PoisonMessageError}, also after it has passed through Nest's exception filters. */
export const isPoisonMessage = (error: unknown): boolean => hasCode(error, 'poison-message');

/** What went wrong, in one line, for logs and dead letters. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string') {
    return error.message;
  }
  return typeof error === 'string' ? error : 'unknown error';
}
