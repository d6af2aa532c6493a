import { afterEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drain } from './drain.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that refuses every body and closes, as one does with a body that is too large. */
async function refusing(...bounds: [maxBytes?: number, maxMs?: number]): Promise<number> {
  server = createServer((incoming, response) => {
    void drain(incoming, ...bounds).then(() => response.writeHead(413, { connection: 'close' }).end('too large'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this shape.
  return (server.address() as AddressInfo).port;
}

const CHUNK = 'x'.repeat(64 * 1_024);

describe('a body that is refused', () => {
  test('is read to its end, so that a sender of 5 MB hears the answer', async () => {
    const outgoing = request({ port: await refusing(), host: '127.0.0.1', method: 'POST' });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    for (let sent = 0; sent < 80; sent++) {
      if (!outgoing.write(CHUNK)) await once(outgoing, 'drain');
    }
    outgoing.end();
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
  });

  test.each([
    ['sends more than anybody reads', [100_000, 60_000], 3],
    ['sends nothing more', [1_000_000, 50], 1],
  ] as const)('does not hold the answer back for ever when its sender %s', async (_what, bounds, chunks) => {
    const outgoing = request({ port: await refusing(...bounds), host: '127.0.0.1', method: 'POST' });
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    for (let sent = 0; sent < chunks; sent++) outgoing.write(CHUNK);
    const [response] = await answered;
    expect(response.statusCode).toBe(413);
    outgoing.destroy();
  });
});
