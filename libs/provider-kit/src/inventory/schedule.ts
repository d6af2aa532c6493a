import { nextLookMs, type OrphanRules, type OrphanState } from '@davit/domain';

/**
 * What one process remembers of its looks at one backend. It is memory, not fact: losing it costs a look more, and a thing
 * that nobody owns is found a little later.
 */
export class LookSchedule {
  private lookedMs = -Infinity;
  private scheduledMs = -Infinity;
  private readonly firstSeenMs = new Map<string, number>();
  private unreadableSinceMs: number | undefined;

  constructor(private readonly leastGapMs: number) {}

  /** When to look next: by the clock, or earlier because an orphan waits for it. */
  dueMs(orphans: readonly OrphanState[], rules: OrphanRules): number {
    const waits = orphans.flatMap((orphan) => nextLookMs(orphan, rules) ?? []);
    return Math.min(this.scheduledMs, Math.max(this.lookedMs + this.leastGapMs, Math.min(...waits)));
  }

  looked(nowMs: number, untilNextMs: number): void {
    this.lookedMs = nowMs;
    this.scheduledMs = nowMs + untilNextMs;
  }

  /** Notes what is there now, and forgets the rest. */
  saw(keys: ReadonlySet<string>, nowMs: number): void {
    this.unreadableSinceMs = undefined;
    for (const key of this.firstSeenMs.keys()) if (!keys.has(key)) this.firstSeenMs.delete(key);
    for (const key of keys) if (!this.firstSeenMs.has(key)) this.firstSeenMs.set(key, nowMs);
  }

  firstSeen(key: string, nowMs: number): number {
    return this.firstSeenMs.get(key) ?? nowMs;
  }

  /** Notes a look without an answer; since when there has been none. */
  unreadable(nowMs: number): number {
    this.unreadableSinceMs ??= nowMs;
    return this.unreadableSinceMs;
  }
}
