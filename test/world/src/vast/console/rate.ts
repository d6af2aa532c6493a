import { type WorldRandom } from '../../clock.js';
import { json, text, type WireRequest, type WireResponse } from '../../http/wire.js';
import { type Defects } from '../defects.js';
import { type VastOptions } from '../options.js';

/** Published minimum intervals in seconds, by resource and method. */
const INTERVALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  endptjobs: { GET: 3, POST: 4, PUT: 2, DELETE: 3 },
  workergroups: { GET: 2, POST: 4, PUT: 2, DELETE: 3 },
  template: { GET: 3 },
  'instances/one': { GET: 2, PUT: 1, DELETE: 3 },
  instances: { GET: 1 },
  charges: { GET: 1 },
  'auth/apikeys': { GET: 1, POST: 2, DELETE: 2 },
  benchmarks: { GET: 3 },
};

/** Searches of the marketplace in a window of one minute, for one address. */
const SEARCHES = 10;
const SEARCH_WINDOW_MS = 60_000;
/** Calls that a token bucket holds. */
const BUCKET = 5;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Refuses calls that follow too closely: without a `Retry-After`, or as a token bucket with one. */
export class Pacing {
  private readonly lastMs = new Map<string, number>();
  private readonly buckets = new Map<string, Bucket>();
  private searchesMs: number[] = [];

  constructor(
    private readonly options: Pick<VastOptions, 'minIntervalScale' | 'tooFrequentBody' | 'rateLimit'>,
    private readonly defects: Defects,
    private readonly random: WorldRandom,
  ) {}

  refusal(request: WireRequest, resource: string, nowMs: number): WireResponse | undefined {
    const { minIntervalScale: scale, rateLimit } = this.options;
    const seconds = (INTERVALS[resource]?.[request.method] ?? 0) * (scale === 0 ? 1 : scale);
    const storm = this.defects.since('rate-storm');
    if (storm && storm.forMs < storm.fault.forMs) return this.tooFrequent(seconds === 0 ? 1 : seconds);
    if (scale === 0 || rateLimit === 'off') return undefined;
    if (resource === 'bundles') return this.searchRefusal(nowMs, SEARCH_WINDOW_MS * scale);
    const key = `${request.method} ${resource} ${request.headers['authorization'] ?? ''}`;
    if (rateLimit === 'token-bucket') return this.bucketRefusal(key, seconds, nowMs);
    return this.isTooSoon(key, seconds, nowMs) ? this.tooFrequent(seconds) : undefined;
  }

  /** By the interval since the last call that was let in, or by chance: the longer the pause, the smaller. */
  private isTooSoon(key: string, seconds: number, nowMs: number): boolean {
    const lastMs = this.lastMs.get(key);
    const tooSoon =
      lastMs !== undefined &&
      (this.options.rateLimit === 'probabilistic'
        ? this.random.next() < 1 - Math.exp(-seconds / Math.max(0.001, (nowMs - lastMs) / 1000))
        : nowMs - lastMs < seconds * 1000);
    if (!tooSoon) this.lastMs.set(key, nowMs);
    return tooSoon;
  }

  private bucketRefusal(key: string, seconds: number, nowMs: number): WireResponse | undefined {
    if (seconds === 0) return undefined;
    const bucket = this.buckets.get(key) ?? { tokens: BUCKET, atMs: nowMs };
    bucket.tokens = Math.min(BUCKET, bucket.tokens + (nowMs - bucket.atMs) / 1000 / seconds);
    bucket.atMs = nowMs;
    this.buckets.set(key, bucket);
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return undefined;
    }
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) * seconds));
    return json(
      429,
      {
        error: 'HTTPTooManyRequests',
        msg: 'API requests too frequent',
        retry_after: wait,
        limit: BUCKET,
        remaining: 0,
      },
      {
        'retry-after': String(wait),
        'x-ratelimit-limit': String(BUCKET),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(nowMs / 1000) + wait),
      },
    );
  }

  private searchRefusal(nowMs: number, windowMs: number): WireResponse | undefined {
    this.searchesMs = this.searchesMs.filter((atMs) => atMs > nowMs - windowMs);
    if (this.searchesMs.length >= SEARCHES) return this.tooFrequent(windowMs / SEARCHES / 1000);
    this.searchesMs.push(nowMs);
    return undefined;
  }

  private tooFrequent(seconds: number): WireResponse {
    const threshold = seconds.toFixed(1);
    switch (this.options.tooFrequentBody) {
      case 'text':
        return text(429, 'API requests too frequent');
      case 'threshold':
        return text(429, `API requests too frequent: endpoint threshold=${threshold}`);
      case 'detail':
        return json(429, { detail: `API requests too frequent endpoint threshold=${threshold}` });
      case 'json':
        return json(429, {
          success: false,
          error: 'rate_limit_exceeded',
          msg: `API requests too frequent endpoint threshold=${threshold}`,
        });
    }
  }
}
