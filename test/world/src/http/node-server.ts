import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type WireHandler, type WireReply } from './wire.js';

const MAX_BODY_BYTES = 16 * 1024 * 1024;

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Serves a handler on loopback; port 0 takes a free one. */
export async function serve(handler: WireHandler, port: number): Promise<RunningServer> {
  const server = createServer((request, response) => {
    answer(handler, request, response).catch((error: unknown) => {
      process.stderr.write(`world: ${String(error)}\n`);
      response.destroy();
    });
  });
  await listen(server, port);
  const { port: boundPort } = server.address() as AddressInfo; // a TCP server's address is never a string
  return {
    url: `http://127.0.0.1:${boundPort}`,
    port: boundPort,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve());
  });

async function answer(handler: WireHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const body = await readBody(request);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const url = new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`);
  await send(
    await handler({ method: request.method ?? 'GET', url, headers, body, signal: gone.signal }),
    request,
    response,
  );
}

async function send(reply: WireReply, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (reply.kind === 'hang') return;
  if (reply.kind !== 'response') {
    request.socket.resetAndDestroy();
    return;
  }
  response.writeHead(reply.status, { ...reply.headers });
  if (typeof reply.body === 'string') {
    response.end(reply.body);
    return;
  }
  for await (const piece of reply.body) {
    if (response.destroyed) return;
    response.write(piece);
  }
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error(`request body above ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
