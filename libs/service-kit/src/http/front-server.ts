import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { once } from 'node:events';
import { answerClientError } from './client-error.js';
import { PROBLEM_MEDIA_TYPE } from '../problems/problem-error.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** How long a sender may take. */
export interface Patience {
  readonly headersMs: number;
  /** The whole request, body included. */
  readonly requestMs: number;
  readonly checkEveryMs: number;
}
const PATIENCE: Patience = { headersMs: 20_000, requestMs: 60_000, checkEveryMs: 5_000 };

/** What supervisors and monitoring ask; it tells of a service that is still starting, too. */
const HEALTH: readonly string[] = ['/livez', '/readyz', '/metrics'];

/**
 * The service's port, open from the first moment: while log and broker are waited for, `/livez` already answers and all
 * else is told to come back, so that a supervisor neither kills nor uses a service that is still starting. Questions about
 * the state are answered only once it is restored: half of the log would be told as the whole, and nothing as empty.
 */
export class FrontServer {
  readonly server: Server;
  private handler: Handler = whileStarting;
  private application: Handler = whileStarting;

  constructor(patience: Patience = PATIENCE) {
    this.server = createServer(
      {
        requestTimeout: patience.requestMs,
        headersTimeout: patience.headersMs,
        connectionsCheckingInterval: patience.checkEveryMs,
      },
      (request, response) => this.handler(request, response),
    );
    this.server.on('clientError', answerClientError);
  }

  /** @returns the port that was taken */
  async listen(port: number, host: string): Promise<number> {
    this.server.listen({ port, host });
    await once(this.server, 'listening');
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  /** Who will answer once the port is opened to it. */
  prepare(handler: Handler): void {
    this.application = handler;
  }

  /** From now on the application answers for its health, and for nothing else. */
  openHealth(): void {
    this.handler = (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      const answer = HEALTH.includes(path) ? this.application : whileStarting;
      answer(request, response);
    };
  }

  /** From now on the application answers everything. Call it once the state is restored. */
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
      detail: 'It reads the event log first. Ask again in a moment.',
    }),
  );
};
