import { type Clock, sleep } from '@davit/ports';

export interface PaceSettings {
  /** Calls that may follow each other at once. */
  readonly burst: number;
  /** Then one call in this time. */
  readonly refillMs: number;
}

/** A provider may not silence the agent for longer than this. */
const LONGEST_REST_MS = 10 * 60_000;

/** Spreads the calls to one provider, and keeps silent when the provider asks for it. */
export class Pace {
  private freeAtMs = 0;
  private restUntilMs = 0;

  constructor(
    private readonly clock: Clock,
    private readonly settings: PaceSettings,
  ) {}

  /** Waits for its turn; false when the provider wants to be left alone for now. */
  async turn(): Promise<boolean> {
    const { burst, refillMs } = this.settings;
    const nowMs = this.clock.monotonicMs();
    if (nowMs < this.restUntilMs) return false;
    this.freeAtMs = Math.max(this.freeAtMs, nowMs - burst * refillMs) + refillMs;
    const waitMs = this.freeAtMs - nowMs;
    if (waitMs > 0) await sleep(this.clock, waitMs);
    return this.clock.monotonicMs() >= this.restUntilMs;
  }

  /** Heeds `Retry-After`, in seconds or as a date. */
  rest(retryAfter: string | undefined, usualMs: number): void {
    const text = retryAfter?.trim() ?? '';
    const asked = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - this.clock.nowMs();
    this.restUntilMs =
      this.clock.monotonicMs() + Math.min(LONGEST_REST_MS, Number.isNaN(asked) ? usualMs : Math.max(0, asked));
  }
}
