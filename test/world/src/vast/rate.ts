import { json, text, type WireRequest, type WireResponse } from '../http/wire.js';
import { type VastOptions } from './options.js';

/** Published minimum intervals in seconds, by resource and method. */
const INTERVALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  endptjobs: { GET: 3, POST: 4, PUT: 2, DELETE: 3 },
  workergroups: { GET: 2, POST: 4, PUT: 2, DELETE: 3 },
  template: { GET: 3 },
  instances: { GET: 1, DELETE: 3 },
  benchmarks: { GET: 3 },
};

/** Searches of the marketplace in a window of one minute, for one address. */
const SEARCHES = 10;
const SEARCH_WINDOW_MS = 60_000;

/** Refuses calls that follow too closely, without a `Retry-After`, as the service does. */
export class Pacing {
  private readonly lastMs = new Map<string, number>();
  private searchesMs: number[] = [];

  constructor(private readonly options: Pick<VastOptions, 'minIntervalScale' | 'tooFrequentBody'>) {}

  refusal(request: WireRequest, resource: string, nowMs: number): WireResponse | undefined {
    const { minIntervalScale: scale } = this.options;
    if (scale === 0) return undefined;
    if (resource === 'bundles') return this.searchRefusal(nowMs, SEARCH_WINDOW_MS * scale);
    const seconds = (INTERVALS[resource]?.[request.method] ?? 0) * scale;
    const key = `${request.method} ${resource}`;
    const lastMs = this.lastMs.get(key);
    if (lastMs !== undefined && nowMs - lastMs < seconds * 1000) return this.tooFrequent(seconds);
    this.lastMs.set(key, nowMs);
    return undefined;
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
