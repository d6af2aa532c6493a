import { text, type WireRequest, type WireResponse } from '../http/wire.js';

/** How strictly RunPod guards its interfaces, and how it words what its sources leave open. May be turned while it runs. */
export interface RunPodOptions {
  readonly apiKey: string;
  /** Requests a minute, an hour and a day before 429; 0 for the minute turns all limits off. */
  readonly perMinute: number;
  readonly perHour: number;
  readonly perDay: number;
  /** Whether GraphQL, whose limits are not published, is limited too. */
  readonly limitGraphql: boolean;
  /** Without a match `lowestPrice` comes with null fields, or is null itself. */
  readonly lowestPriceOfNone: 'fields' | 'null';
  /** "No stock" in GraphQL: null, or the word that the documentation lists too. */
  readonly noStockStatus: 'null' | 'None' | '';
  /** Whether `gpuTypes` holds the entry "unknown" that is in the real answer. */
  readonly listsUnknownType: boolean;
}

/** The published limits are 60, 3 000 and 50 000 (https://docs.runpod.io, September 2026). */
export const RUNPOD_DEFAULTS: Omit<RunPodOptions, 'apiKey'> = {
  perMinute: 0,
  perHour: 3_000,
  perDay: 50_000,
  limitGraphql: false,
  lowestPriceOfNone: 'fields',
  noStockStatus: 'null',
  listsUnknownType: true,
};

/** An RFC 9457 problem as REST v2 writes it. */
export function problem(status: number, title: string, detail: string, errors?: readonly string[]): WireResponse {
  return {
    kind: 'response',
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify({ title, status, detail, ...(errors ? { errors } : {}) }),
  };
}

const BLOCKED = '<!DOCTYPE html><html><head><title>Access denied</title></head><body>error code: 1010</body></html>';

/** The proxy in front of every route turns agents away that do not say who they are: with a page, not with a problem. */
export const gate = (request: WireRequest): WireResponse | undefined =>
  request.headers['user-agent'] ? undefined : text(403, BLOCKED, 'text/html; charset=UTF-8');

const MINUTE_MS = 60_000;
const WINDOWS = [
  ['minute', MINUTE_MS, 'perMinute'],
  ['hour', 60 * MINUTE_MS, 'perHour'],
  ['day', 24 * 60 * MINUTE_MS, 'perDay'],
] as const;

type Hit = { readonly headers: Readonly<Record<string, string>>; readonly refusal?: WireResponse };

/** Sliding windows with the headers of REST v2. A refused request does not count. */
export class RateLimit {
  private times: number[] = [];

  constructor(private readonly quotas: Pick<RunPodOptions, 'perMinute' | 'perHour' | 'perDay'>) {}

  /** Counts one request; the refusal is set once a window is full, the headers go onto any answer. */
  hit(nowMs: number): Hit {
    const { perMinute } = this.quotas;
    if (perMinute === 0) return { headers: limitHeaders(WINDOWS.map(([name]) => [name, PUBLISHED[name], 0])) };
    this.times = this.times.filter((atMs) => atMs > nowMs - 24 * 60 * MINUTE_MS);
    const states = WINDOWS.map(([name, lengthMs, quota]) => {
      const within = this.times.filter((atMs) => atMs > nowMs - lengthMs);
      const resetSeconds = Math.ceil(((within[0] ?? nowMs) + lengthMs - nowMs) / 1000);
      return { name, left: this.quotas[quota] - within.length, resetSeconds };
    });
    const full = states.filter(({ left }) => left <= 0);
    if (full.length === 0) this.times.push(nowMs);
    const spent = full.length === 0 ? 1 : 0;
    const headers = limitHeaders(
      states.map(({ name, left, resetSeconds }) => [name, Math.max(0, left - spent), resetSeconds]),
      this.quotas,
    );
    if (full.length === 0) return { headers };
    const limited = problem(429, 'Too Many Requests', 'rate limit exceeded');
    const retryAfter = String(Math.max(...full.map(({ resetSeconds }) => resetSeconds)));
    return { headers, refusal: { ...limited, headers: { ...limited.headers, ...headers, 'retry-after': retryAfter } } };
  }
}

const PUBLISHED = { minute: 60, hour: 3_000, day: 50_000 } as const;

function limitHeaders(
  left: readonly (readonly [name: keyof typeof PUBLISHED, left: number, resetSeconds: number])[],
  quotas?: Pick<RunPodOptions, 'perMinute' | 'perHour' | 'perDay'>,
): Record<string, string> {
  const quotaOf = (name: keyof typeof PUBLISHED, quota: (typeof WINDOWS)[number][2]): number =>
    quotas?.[quota] ?? PUBLISHED[name];
  return {
    'ratelimit-policy': WINDOWS.map(([name, ms, quota]) => `"${name}";q=${quotaOf(name, quota)};w=${ms / 1000}`).join(
      ', ',
    ),
    ratelimit: left.map(([name, remaining, reset]) => `"${name}";r=${remaining};t=${reset}`).join(', '),
  };
}
