import { type Clock, sleep } from '@davit/ports';
import { type Route, ROUTES } from './routes.js';

/**
 * Gives each call of a route its turn. Vast answers 429 to anything faster and names no time to wait, so calls take turns
 * instead. Its limits go by key and by address, so every call of this process takes turns here, whichever key it has.
 */
export class Pacer {
  private readonly nextFreeMs = new Map<Route, number>();

  constructor(
    private readonly clock: Clock,
    private readonly scale: number,
  ) {}

  /** Null where the service publishes none. */
  intervalMs(route: Route): number | null {
    const { seconds } = ROUTES[route];
    return seconds === null ? null : seconds * 1_000 * this.scale;
  }

  /** Resolves when it is this caller's turn; false, without waiting, when that is later than `patienceMs` from now. */
  async turn(route: Route, patienceMs: number): Promise<boolean> {
    const nowMs = this.clock.monotonicMs();
    const turnMs = Math.max(nowMs, this.nextFreeMs.get(route) ?? nowMs);
    if (turnMs - nowMs > patienceMs) return false;
    this.nextFreeMs.set(route, turnMs + (this.intervalMs(route) ?? 0));
    if (turnMs > nowMs) await sleep(this.clock, turnMs - nowMs);
    return true;
  }

  /** The service said to slow down: nobody calls this route for so long. */
  hold(route: Route, ms: number): void {
    const untilMs = this.clock.monotonicMs() + ms;
    this.nextFreeMs.set(route, Math.max(untilMs, this.nextFreeMs.get(route) ?? 0));
  }
}
