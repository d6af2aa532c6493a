import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that answers as spec-api would, by method and path. */
export interface Answering {
  readonly url: string;
  /** Method and path with query of every request, in order. */
  readonly asked: readonly string[];
  /** What was sent with each, in the same order. */
  readonly bodies: readonly string[];
  close(): void;
}

/** Starts a server that gives each answer for its method and path (`GET /v1/fleet`), and 404 for anything else. */
export async function answering(
  answers: Readonly<Record<string, (query: URLSearchParams) => unknown>>,
): Promise<Answering> {
  const asked: string[] = [];
  const bodies: string[] = [];
  const server: Server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://here');
    asked.push(`${request.method ?? ''} ${pathname}${search}`);
    const answer = answers[`${request.method ?? ''} ${pathname}`];
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ? answer(searchParams) : { title: 'Not found', status: 404 }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this shape.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    bodies,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
