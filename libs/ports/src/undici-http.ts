import { type Readable, pipeline } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { Agent, request as undiciRequest, type Dispatcher } from 'undici';
import type { HttpClient, HttpFailure, HttpOutcome, HttpRequest } from './http.js';

const DEFAULT_MAX_BYTES = 1024 * 1024;

/** HTTP over undici with keep-alive; `connections` bounds the sockets per origin. */
export function undiciHttpClient(
  options: { readonly connections?: number } = {},
): HttpClient & { close(): Promise<void> } {
  const settings = { connections: options.connections ?? 64, keepAliveTimeout: 10_000 };
  const dispatcher = new Agent(settings);
  // Authorities belong to a connection, so each set of them has connections of its own.
  const trusting = new Map<string, Agent>();
  const agentFor = (ca: string | undefined): Agent => {
    if (ca === undefined) return dispatcher;
    const agent = trusting.get(ca) ?? new Agent({ ...settings, connect: { ca } });
    trusting.set(ca, agent);
    return agent;
  };
  return {
    request: (request) => exchange(agentFor(request.ca), request),
    close: async () => {
      await Promise.all([dispatcher, ...trusting.values()].map((agent) => agent.close()));
    },
  };
}

async function exchange(dispatcher: Dispatcher, request: HttpRequest): Promise<HttpOutcome> {
  // Node takes whole milliseconds only, and what is left of a deadline has fractions.
  const timeout = AbortSignal.timeout(Math.ceil(Math.max(0, request.timeoutMs)));
  const signal = request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
  try {
    const response = await undiciRequest(request.url, {
      dispatcher,
      method: request.method,
      headers: { 'user-agent': 'davit/0.1', ...request.headers },
      body: request.body ?? null,
      signal,
    });
    const pieces: Uint8Array[] = [];
    const take = request.onBytes ?? ((piece: Uint8Array) => void pieces.push(piece));
    const headers = flatten(response.headers);
    const plain = decompressed(response.body, headers['content-encoding']);
    const isWhole = await readCapped(plain, request.maxBytes ?? DEFAULT_MAX_BYTES, take);
    response.body.destroy();
    if (!isWhole) return { kind: 'failure', reason: 'too-large', detail: 'the body is longer than allowed' };
    return {
      kind: 'response',
      status: response.statusCode,
      headers,
      body: new TextDecoder().decode(Buffer.concat(pieces)),
    };
  } catch (error) {
    return { kind: 'failure', reason: classify(error), detail: textMember(error, 'message') || String(error) };
  }
}

/** Servers compress although nobody asked for it. */
function decompressed(body: Readable, encoding: string | undefined): Readable {
  const unzip =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : undefined;
  // The fault of either end is the fault of what is read.
  return unzip ? pipeline(body, unzip, () => undefined) : body;
}

/** Hands over the bytes of a stream; false when it is longer than allowed, and then the stream is closed. */
async function readCapped(stream: Readable, maxBytes: number, take: (piece: Uint8Array) => void): Promise<boolean> {
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) {
      stream.destroy();
      return false;
    }
    take(chunk);
  }
  return true;
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );
}

const REASON_BY_CODE: Readonly<Record<string, HttpFailure>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

function classify(error: unknown): HttpFailure {
  const name = textMember(error, 'name');
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  const code = textMember(error, 'code');
  if (code.startsWith('ERR_TLS') || code.startsWith('CERT_')) return 'tls';
  return REASON_BY_CODE[code] ?? 'other';
}

/** Errors of Node's own are told by their members: in another realm (a test's, say) they are no `instanceof Error`. */
function textMember(error: unknown, member: 'name' | 'code' | 'message'): string {
  if (typeof error !== 'object' || error === null || !(member in error)) return '';
  const value: unknown = Reflect.get(error, member);
  return typeof value === 'string' ? value : '';
}
