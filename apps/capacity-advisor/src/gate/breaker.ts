import type { Clock } from '@davit/ports';

export type BreakerTimings = {
  /** Outages in a row after which the provider is left alone. */
  readonly outagesToOpen: number;
  readonly restMs: number;
};

export const DEFAULT_BREAKER: BreakerTimings = { outagesToOpen: 3, restMs: 15_000 };

/** Leaves a provider alone that has not answered several times in a row; after a rest one question is let out to see. */
export class Breaker {
  private outages = 0;
  private restUntilMs = 0;
  private probing = false;

  constructor(
    private readonly clock: Clock,
    private readonly timings: BreakerTimings = DEFAULT_BREAKER,
  ) {}

  /** Why nothing may be asked now; undefined when a question may go out. */
  closed(): string | undefined {
    if (this.outages < this.timings.outagesToOpen) return undefined;
    const leftMs = this.restUntilMs - this.clock.monotonicMs();
    const why = `${this.outages} questions in a row failed`;
    if (leftMs > 0) return `${why}; not asked again for ${Math.ceil(leftMs / 1_000)} s`;
    return this.probing ? `${why}; one question is out to see whether it answers again` : undefined;
  }

  /** A question goes out. To be followed by `answered` or `failed`. */
  sent(): void {
    this.probing = this.outages >= this.timings.outagesToOpen;
  }

  answered(): void {
    this.outages = 0;
    this.probing = false;
  }

  failed(): void {
    this.outages += 1;
    this.probing = false;
    if (this.outages >= this.timings.outagesToOpen) {
      this.restUntilMs = this.clock.monotonicMs() + this.timings.restMs;
    }
  }
}
