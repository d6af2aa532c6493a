import { request as httpRequest } from 'node:http';
import { type WireReply, type WireRequest } from './wire.js';

/** Sends a request over a socket and passes the answer on as it comes. */
export const forward = (request: WireRequest): Promise<WireReply> =>
  new Promise((resolve) => {
    const options = { method: request.method, headers: { ...request.headers, host: request.url.host }, agent: false };
    const exchange = httpRequest(request.url, options, (response) => {
      response.setEncoding('utf8');
      const headers: Record<string, string> = {};
      for (const [name, value] of Object.entries(response.headers))
        if (typeof value === 'string' && name !== 'connection' && name !== 'transfer-encoding') headers[name] = value;
      // An incoming message with an encoding yields strings.
      const body = response as AsyncIterable<string>;
      resolve({ kind: 'response', status: response.statusCode ?? 502, headers, body });
    });
    exchange.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: error.code === 'ECONNREFUSED' ? 'refused' : 'reset' }),
    );
    request.signal?.addEventListener('abort', () => exchange.destroy(), { once: true });
    exchange.end(request.body);
  });
