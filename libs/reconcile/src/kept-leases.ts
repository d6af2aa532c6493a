import type { Cancel, Clock } from '@davit/ports';

/**
 * Leases that outlast their pass, because work that it began goes on beside the passes. Each is kept up to the next pass of its key,
 * which decides anew; where that does not come, it is left to run out, so that somebody else goes on.
 */
export class KeptLeases {
  private readonly kept = new Map<string, Cancel>();

  /** @param graceMs how much later than due the next pass may be */
  constructor(
    private readonly clock: Clock,
    private readonly graceMs: number,
  ) {}

  /** @param endKeeping ends the renewals of the lease */
  keep(key: string, endKeeping: Cancel, nextPassMs: number): void {
    const cancelEnd = this.clock.schedule(nextPassMs + this.graceMs, () => this.end(key));
    this.kept.set(key, () => {
      cancelEnd();
      endKeeping();
    });
  }

  end(key: string): void {
    this.kept.get(key)?.();
    this.kept.delete(key);
  }

  endAll(): void {
    for (const key of [...this.kept.keys()]) this.end(key);
  }
}
