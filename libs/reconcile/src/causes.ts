import type { Clock } from '@davit/ports';

interface Known {
  /** Of events since the last pass, the newest last. */
  fresh: readonly string[];
  latest: string;
  atMs: number;
}

export interface CausesOptions {
  readonly clock: Clock;
  /** Keys that are remembered. Default 20 000. */
  readonly most?: number;
  /** How long a key that only waits belongs to the trace that it came from. Default one hour. */
  readonly lifetimeMs?: number;
}

/** Links of one pass; more of them tell nothing. */
const MOST_LINKS = 8;

/**
 * Which traces the keys of a controller belong to, by the `traceparent` of the events that woke them. A wake-up that is lost
 * loses its trace and nothing else.
 */
export class Causes {
  private readonly known = new Map<string, Known>();

  constructor(private readonly options: CausesOptions) {}

  note(key: string, traceparent: string): void {
    const { clock, most = 20_000 } = this.options;
    const fresh = [...(this.known.get(key)?.fresh ?? []).filter((one) => one !== traceparent), traceparent];
    this.known.delete(key); // the newest stand last
    this.known.set(key, { fresh: fresh.slice(-MOST_LINKS), latest: traceparent, atMs: clock.monotonicMs() });
    const [oldest] = this.known.keys();
    if (this.known.size > most && oldest !== undefined) this.known.delete(oldest);
  }

  /** What a pass over the key is caused by, its parent last; a pass that nothing woke goes on with the trace before. */
  take(key: string): readonly string[] {
    const known = this.known.get(key);
    if (!known) return [];
    const { fresh, latest } = known;
    known.fresh = [];
    return fresh.length > 0 ? fresh : [latest];
  }

  sweep(): void {
    const { clock, lifetimeMs = 3_600_000 } = this.options;
    const nowMs = clock.monotonicMs();
    for (const [key, { atMs }] of this.known) if (nowMs - atMs > lifetimeMs) this.known.delete(key);
  }
}
