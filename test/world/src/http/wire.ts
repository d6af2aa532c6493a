/** One HTTP request as every simulated service sees it; header names are lower case. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts when the client goes away. */
  readonly signal?: AbortSignal | undefined;
}

export interface WireResponse {
  readonly kind: 'response';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent piece by piece as it is produced. */
  readonly body: string | AsyncIterable<string>;
}

/** What a client experiences: an answer, a cut connection, a closed port, or silence for ever. */
export type WireReply =
  WireResponse | { readonly kind: 'reset' } | { readonly kind: 'refused' } | { readonly kind: 'hang' };

export type WireHandler = (request: WireRequest) => Promise<WireReply>;

export const text = (status: number, body: string, contentType = 'text/plain; charset=utf-8'): WireResponse => ({
  kind: 'response',
  status,
  headers: { 'content-type': contentType },
  body,
});

export const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireResponse => ({
  kind: 'response',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

/** The answer of the control interface to what it does not take. */
export const badRequest = (error: string): WireResponse => json(400, { error });

export const empty = (status: number): WireResponse => ({ kind: 'response', status, headers: {}, body: '' });

/** The bearer token of a request, if its `Authorization` header has one. */
export const bearerOf = (request: WireRequest): string | undefined =>
  /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1];

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The body as a JSON object; undefined when it is anything else. */
export function objectBody(body: string): JsonObject | undefined {
  if (body === '') return undefined; // most requests have none, and an error thrown for each would cost more than all the rest
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a streamed body to its end. */
export async function wholeBody(body: string | AsyncIterable<string>): Promise<string> {
  if (typeof body === 'string') return body;
  let whole = '';
  for await (const piece of body) whole += piece;
  return whole;
}
