import type { Clock } from '@davit/ports';

export type GateTimings = {
  /** Outages in a row after which the provider is left alone. */
  readonly outagesToOpen: number;
  readonly restMs: number;
};

export const DEFAULT_GATE: GateTimings = { outagesToOpen: 3, restMs: 15_000 };

/** Keeps an advisor from asking a provider that asked for quiet, or that has not answered several times in a row. */
export class QuestionGate {
  private outages = 0;
  private closedUntilMs = 0;
  private reason = '';

  constructor(
    private readonly clock: Clock,
    private readonly timings: GateTimings = DEFAULT_GATE,
  ) {}

  /** Why nothing may be asked now; undefined when a question may go out. */
  closed(): string | undefined {
    const remainingMs = this.closedUntilMs - this.clock.monotonicMs();
    return remainingMs > 0 ? `${this.reason}; not asked again for ${Math.ceil(remainingMs / 1_000)} s` : undefined;
  }

  answered(): void {
    this.outages = 0;
  }

  /** After a rest one more outage is enough to rest again, so that a dead provider costs one question each time. */
  failed(): void {
    this.outages += 1;
    if (this.outages >= this.timings.outagesToOpen)
      this.close(this.timings.restMs, `${this.outages} questions in a row failed`);
  }

  /** Honours `Retry-After`, in seconds or as a date; without one the usual rest is kept. */
  limited(retryAfter: string | undefined): void {
    this.close(retryAfterMs(retryAfter, this.clock.nowMs()) ?? this.timings.restMs, 'the rate limit was reached');
  }

  private close(forMs: number, reason: string): void {
    const untilMs = this.clock.monotonicMs() + forMs;
    if (untilMs <= this.closedUntilMs) return;
    this.closedUntilMs = untilMs;
    this.reason = reason;
  }
}

/** A provider may not silence the advisor for longer than this. */
const LONGEST_REST_MS = 60 * 60_000;

export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_REST_MS, Math.max(0, ms));
}
