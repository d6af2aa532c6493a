import { type Clock, sleep } from '@davit/ports';

/** A token bucket: so many questions at once, and one more each interval. */
export type Pace = { readonly burst: number; readonly everyMs: number };

/** Gives questions their turn, so that a provider's documented limit is never passed. */
export class Pacer {
  /** The moment at which the bucket is full again. */
  private fullAtMs = 0;
  private heldUntilMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly pace: Pace,
  ) {}

  /** Resolves when it is this question's turn; the wait in milliseconds, without waiting, when that is over `patienceMs`. */
  async turn(patienceMs: number): Promise<'now' | number> {
    const nowMs = this.clock.monotonicMs();
    const { burst, everyMs } = this.pace;
    const waitMs = Math.max(0, this.fullAtMs - (burst - 1) * everyMs - nowMs, this.heldUntilMs - nowMs);
    if (waitMs > patienceMs) return waitMs;
    this.fullAtMs = Math.max(this.fullAtMs, nowMs) + everyMs;
    if (waitMs > 0) await sleep(this.clock, waitMs);
    return 'now';
  }

  /** The provider wants quiet: nothing is asked for so long, and then one question at a time. */
  hold(ms: number): void {
    const { burst, everyMs } = this.pace;
    this.heldUntilMs = Math.max(this.heldUntilMs, this.clock.monotonicMs() + ms);
    this.fullAtMs = Math.max(this.fullAtMs, this.heldUntilMs + (burst - 1) * everyMs);
  }

  /** The provider counts no more than so many left: somebody else asks under the same key. */
  atMost(left: number): void {
    const { burst, everyMs } = this.pace;
    const missing = burst - Math.min(burst, left);
    this.fullAtMs = Math.max(this.fullAtMs, this.clock.monotonicMs() + missing * everyMs);
  }
}
