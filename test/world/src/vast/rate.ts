import { text, type WireRequest, type WireResponse } from '../http/wire.js';

/** Published minimum intervals in seconds, by resource and method. */
const INTERVALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  endptjobs: { GET: 3, POST: 4, PUT: 2, DELETE: 3 },
  workergroups: { GET: 2, POST: 4, PUT: 2, DELETE: 3 },
  template: { GET: 3 },
  instances: { GET: 1, DELETE: 3 },
  bundles: { POST: 6 },
  benchmarks: { GET: 3 },
};

/** Refuses calls of one resource and method that follow too closely, without a `Retry-After`, as the service does. */
export class MinimumIntervals {
  private readonly lastMs = new Map<string, number>();

  constructor(private readonly scale: number) {}

  refusal(request: WireRequest, resource: string, nowMs: number): WireResponse | undefined {
    const seconds = (INTERVALS[resource]?.[request.method] ?? 0) * this.scale;
    const key = `${request.method} ${resource}`;
    const lastMs = this.lastMs.get(key);
    if (lastMs !== undefined && nowMs - lastMs < seconds * 1000)
      return text(429, `API requests too frequent: endpoint threshold=${seconds.toFixed(1)}`);
    this.lastMs.set(key, nowMs);
    return undefined;
  }
}
