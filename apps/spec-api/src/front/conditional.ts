import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Gives answers to reads an entity tag, and answers 304 to whoever has it already. A tag begins with the position that the answer
 * names, so that `If-Match` of an intent can be compared with what was ordered since; the rest tells any two answers apart.
 */
export function answerConditionally(http: FastifyInstance): void {
  const positions = new WeakMap<FastifyRequest, number>();
  http.addHook('preSerialization', (request, _reply, payload, done) => {
    if (
      typeof payload === 'object' &&
      payload !== null &&
      'position' in payload &&
      typeof payload.position === 'number'
    )
      positions.set(request, payload.position);
    done(null, payload);
  });
  http.addHook('onSend', (request, reply, payload, done) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string' || reply.hasHeader('etag')) {
      done(null, payload);
      return;
    }
    const digest = createHash('sha256').update(payload).digest('base64url').slice(0, 22);
    const tag = `"${positions.get(request) ?? 0}-${digest}"`;
    void reply.header('etag', tag);
    if (!isHeld(request.headers['if-none-match'], tag)) {
      done(null, payload);
      return;
    }
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
  });
}

/** RFC 9110, section 13.1.2: compared weakly. */
export function isHeld(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => ['*', tag, `W/${tag}`].includes(part.trim()));
}
