import { createServer, request as forwarded } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type WorldProcess } from '@davit/test-support';

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

/** One address for both hosts: given another address than its own, the vendor's command line takes it for both. */
export async function openFront({ vastConsoleUrl, vastRunUrl }: WorldProcess): Promise<Front> {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const target = new URL(url, url.startsWith('/api/') ? vastConsoleUrl : vastRunUrl);
    const exchange = forwarded(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    exchange.once('error', () => outgoing.destroy());
    incoming.pipe(exchange);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
