import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { once } from 'node:events';
import { PROBLEM_MEDIA_TYPE } from '../problems/problem-error.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The service's port, open from the first moment: while log and broker are waited for, `/livez` already answers and all
 * else is told to come back, so that a supervisor neither kills nor uses a service that is still starting.
 */
export class FrontServer {
  readonly server: Server;
  private handler: Handler = whileStarting;
  private application: Handler = whileStarting;

  constructor() {
    this.server = createServer((request, response) => this.handler(request, response));
    this.server.requestTimeout = 60_000;
    this.server.headersTimeout = 20_000;
  }

  /** @returns the port that was taken */
  async listen(port: number, host: string): Promise<number> {
    this.server.listen({ port, host });
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Who will answer once {@link open} is called. */
  prepare(handler: Handler): void {
    this.application = handler;
  }

  /** From now on the application answers. */
  open(): void {
    this.handler = this.application;
  }

  /** Takes no new connection, lets requests in work finish for `graceMs`, then cuts what is left, event streams included. */
  async close(graceMs: number): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeIdleConnections();
    const cut = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(cut);
  }
}

const whileStarting: Handler = (request, response) => {
  if (request.url === '/livez') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"live"}');
    return;
  }
  request.resume();
  response.writeHead(503, { 'content-type': PROBLEM_MEDIA_TYPE, 'retry-after': '1' }).end(
    JSON.stringify({
      type: 'urn:davit:problem:starting',
      title: 'The service is starting',
      status: 503,
      code: 'starting',
      detail: 'It waits for the event log and the bus. Ask again in a moment.',
    }),
  );
};
