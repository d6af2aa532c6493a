import { text, type WireRequest, type WireResponse } from '../http/wire.js';

/** How strictly RunPod guards its interfaces. */
export interface RunPodOptions {
  readonly apiKey: string;
  /** Requests a minute before 429; 0 turns the limit off. */
  readonly perMinute: number;
}

/** An RFC 9457 problem as REST v2 writes it. */
export function problem(status: number, title: string, detail: string, errors?: readonly string[]): WireResponse {
  return {
    kind: 'response',
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ title, status, detail, ...(errors ? { errors } : {}) }),
  };
}

export const KEY_IN_QUERY = /^(api_?key|key|token|access_token)$/i;

export const hasKeyInUrl = (request: WireRequest): boolean =>
  [...request.url.searchParams.keys()].some((name) => KEY_IN_QUERY.test(name)) || request.url.password !== '';

/** What stands in front of every route: no key in a URL, no anonymous agents. */
export function gate(request: WireRequest): WireResponse | undefined {
  if (hasKeyInUrl(request)) return problem(400, 'Bad Request', 'a key must not stand in the URL');
  if (!request.headers['user-agent']) return text(403, 'error code: 1010', 'text/html');
  return undefined;
}

/** Sliding-minute limit with the headers of REST v2. */
export class RateLimit {
  private readonly times: number[] = [];

  constructor(private readonly perMinute: number) {}

  /** Counts one request; the reply is the refusal, the headers go onto any answer. */
  hit(nowMs: number): { readonly headers: Readonly<Record<string, string>>; readonly refusal?: WireResponse } {
    if (this.perMinute === 0) return { headers: rateHeaders(60, 60, 0) };
    while (this.times[0] !== undefined && this.times[0] <= nowMs - 60_000) this.times.shift();
    const resetSeconds = Math.ceil(((this.times[0] ?? nowMs) + 60_000 - nowMs) / 1000);
    if (this.times.length >= this.perMinute) {
      const limited = problem(429, 'Too Many Requests', 'rate limit exceeded');
      const headers = rateHeaders(this.perMinute, 0, resetSeconds);
      return {
        headers,
        refusal: { ...limited, headers: { ...limited.headers, ...headers, 'retry-after': String(resetSeconds) } },
      };
    }
    this.times.push(nowMs);
    return { headers: rateHeaders(this.perMinute, this.perMinute - this.times.length, resetSeconds) };
  }
}

const rateHeaders = (quota: number, left: number, resetSeconds: number): Record<string, string> => ({
  'ratelimit-policy': `"minute";q=${quota};w=60, "hour";q=3000;w=3600, "day";q=50000;w=86400`,
  ratelimit: `"minute";r=${left};t=${resetSeconds}, "hour";r=2800;t=1812, "day";r=49000;t=40000`,
});
