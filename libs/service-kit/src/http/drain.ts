import type { IncomingMessage } from 'node:http';
import { systemClock } from '@davit/ports';

const MAX_BYTES = 16 * 1_048_576;
const MAX_MS = 5_000;

/**
 * Reads away what is left of a body that was refused, within bounds. A connection closed on a peer that still writes looks
 * broken to it, and the answer that says why is lost (RFC 9112, section 9.6).
 */
export function drain(request: IncomingMessage, maxBytes = MAX_BYTES, maxMs = MAX_MS): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let bytes = 0;
    const onData = (chunk: string | Buffer): void => {
      bytes += Buffer.byteLength(chunk);
      if (bytes > maxBytes) done();
    };
    const done = (): void => {
      cancel();
      request.off('data', onData).off('end', done).off('close', done);
      resolve();
    };
    const cancel = systemClock.schedule(maxMs, done);
    request.on('data', onData).once('end', done).once('close', done).resume();
  });
}
