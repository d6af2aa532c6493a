import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Takes what webhooks are sent, and is what every address in a made-up request leads to. */
export interface Receiver {
  readonly url: string;
  /** Requests so far. */
  received(): number;
  close(): Promise<void>;
}

/** Every fifth delivery is refused, so that there are attempts and dead letters to tell of. */
const REFUSES_EVERY = 5;

export async function startReceiver(): Promise<Receiver> {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume();
    response.writeHead(received % REFUSES_EVERY === 0 ? 500 : 204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a server that listens on TCP
  return {
    url: `http://127.0.0.1:${port}/`,
    received: () => received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
