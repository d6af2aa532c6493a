import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenTraceUnit, Tracing } from '@davit/ports';

const SERVER_FAULT = 500;

/** Requests as units of work: those that change something, and those whose sender traces them. */
export function traceRequests(http: FastifyInstance, tracing: Tracing): void {
  const units = new WeakMap<FastifyRequest, OpenTraceUnit>();
  http.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const cause = typeof traceparent === 'string' ? [traceparent] : [];
    const route = request.routeOptions.url ?? 'none';
    const unit = tracing.open({
      name: `${request.method} ${route}`,
      kind: 'server',
      causes: cause,
      always: cause.length > 0 || request.method !== 'GET',
      attributes: { 'http.request.method': request.method, 'http.route': route },
    });
    units.set(request, unit);
    unit.run(done);
  });
  // Reading a body loses what was running; it is taken up again once the body is there.
  http.addHook('preValidation', (request, _reply, done) => {
    const unit = units.get(request);
    if (unit) unit.run(done);
    else done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    units.get(request)?.end({ 'http.response.status_code': statusCode }, statusCode >= SERVER_FAULT);
    done();
  });
}
