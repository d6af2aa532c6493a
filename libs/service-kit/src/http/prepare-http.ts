import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics/metrics.js';
import { parseJsonBody } from '../problems/json-body.js';
import { drain } from './drain.js';
import type { RouteTable } from './route-table.js';

/** Bodies as JSON with mistakes told by place, and a count of every request by its route pattern. */
export function prepareHttp(http: FastifyInstance, metrics: Metrics, routes: RouteTable): void {
  http.removeAllContentTypeParsers();
  http.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json(?:;|$)/,
    { parseAs: 'string' },
    (_request, body, done) => {
      try {
        done(null, parseJsonBody(body.toString()));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
  http.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      if (one === 'HEAD') continue;
      routes.add(one, url);
      for (const status of ['2xx', '4xx', '5xx']) metrics.httpRequests.inc({ method: one, route: url, status }, 0);
    }
  });
  http.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode >= 400) await drain(request.raw);
    return payload;
  });
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.httpRequests.inc({ method: request.method, route, status: `${Math.floor(reply.statusCode / 100)}xx` });
    metrics.httpSeconds.observe({ route }, reply.elapsedTime / 1_000);
    done();
  });
}
