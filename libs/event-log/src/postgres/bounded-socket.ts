import { Socket } from 'node:net';

/** The database, or the way to it, gave no sign for as long as a statement may take; what became of the statement is not known. */
export class NoAnswerError extends Error {
  readonly code = 'no-answer';
  constructor(afterMs: number) {
    super(`PostgreSQL gave no answer for ${afterMs} ms; the connection was given up`);
    this.name = 'NoAnswerError';
  }
}

/**
 * A socket for one database connection that is given up after `silentMs` without a byte in either direction. Where packets
 * vanish the kernel goes on repeating them for a quarter of an hour, keep-alive or not. The `query_timeout` of pg ends
 * the wait as well, but leaves a connection in the pool on which all later statements wait behind the one that was lost.
 */
export function boundedSocket(silentMs: number): Socket {
  const socket = new Socket();
  socket.setTimeout(silentMs, () => socket.destroy(new NoAnswerError(silentMs)));
  return socket;
}
