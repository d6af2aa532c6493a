import { type Clock, sleep } from '@davit/ports';

/**
 * Least seconds between two calls of one route. Vast answers 429 to anything faster and names no time to wait, so calls
 * take turns instead. Source: `x-rate-limit` of Vast's OpenAPI description, August 2026; worker lists from a user's report.
 */
export const ROUTE_INTERVALS = {
  'GET endptjobs': 3,
  'POST endptjobs': 4,
  'PUT endptjobs': 2,
  'DELETE endptjobs': 3,
  'GET workergroups': 2,
  'POST workergroups': 4,
  'PUT workergroups': 2,
  'DELETE workergroups': 3,
  'GET instances': 1,
  'POST get_endpoint_workers': 0.5,
} as const;

export type Route = keyof typeof ROUTE_INTERVALS;

/** Gives each call of a route its turn. */
export class Pacer {
  private readonly nextFreeMs = new Map<Route, number>();

  constructor(
    private readonly clock: Clock,
    private readonly scale: number,
  ) {}

  intervalMs(route: Route): number {
    return ROUTE_INTERVALS[route] * 1_000 * this.scale;
  }

  /** Resolves when it is this caller's turn; false, without waiting, when that is later than `patienceMs` from now. */
  async turn(route: Route, patienceMs: number): Promise<boolean> {
    const nowMs = this.clock.monotonicMs();
    const turnMs = Math.max(nowMs, this.nextFreeMs.get(route) ?? nowMs);
    if (turnMs - nowMs > patienceMs) return false;
    this.nextFreeMs.set(route, turnMs + this.intervalMs(route));
    if (turnMs > nowMs) await sleep(this.clock, turnMs - nowMs);
    return true;
  }

  /** The service said to slow down: nobody calls this route for so long. */
  hold(route: Route, ms: number): void {
    const untilMs = this.clock.monotonicMs() + ms;
    this.nextFreeMs.set(route, Math.max(untilMs, this.nextFreeMs.get(route) ?? 0));
  }
}
