import type { Lease, Leases } from '@davit/event-log';
import type { Cancel, Clock } from '@davit/ports';

interface Held {
  readonly lease: Lease;
  /** Local monotonic time up to which the lease is surely ours: counted from before the store was asked. */
  readonly safeUntilMs: number;
  /** Local monotonic time at which this epoch was first granted. */
  readonly takenMs: number;
}

/** Leases of one kind that have time left, by the local clock. */
export interface LeaseStats {
  readonly held: number;
  /** How long ago the one that is held longest was taken; 0 when none is held. */
  readonly oldestMs: number;
}

export interface LeaseKeeperOptions {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly holder: string;
  readonly ttlMs: number;
}

/** Keeps the leases of one instance: taken when work begins, renewed while it lasts, left to expire when it is over. */
export class LeaseKeeper {
  private readonly held = new Map<string, Held>();
  private readonly renewals = new Set<Promise<void>>();
  /** How far the store's clock is ahead of the local monotonic one; undefined before the first lease. */
  private storeAheadMs: number | undefined;

  constructor(private readonly options: LeaseKeeperOptions) {}

  /**
   * The store's time, as the last lease it granted told it, and at most one answer's way behind. Deadlines and spacings rest on
   * times of the log, so they are held against the same clock: a host's own may be wrong by minutes, and jump.
   */
  storeNowMs(): number {
    const { clock } = this.options;
    return this.storeAheadMs === undefined ? clock.nowMs() : Math.floor(clock.monotonicMs() + this.storeAheadMs);
  }

  /** The lease with at least half of its time left, without asking the store while that is so; undefined when somebody else holds it. */
  async take(name: string): Promise<Lease | undefined> {
    const held = this.held.get(name);
    if (held && held.safeUntilMs - this.options.clock.monotonicMs() >= this.options.ttlMs / 2) return held.lease;
    return await this.acquire(name);
  }

  /** Renews the lease every third of its time until the returned function is called. */
  keep(name: string, onLost: (error: unknown) => void): Cancel {
    let cancel: Cancel = () => undefined;
    let ended = false;
    const renew = async (): Promise<void> => {
      try {
        if (!(await this.acquire(name))) return;
      } catch (error) {
        onLost(error); // asked again below; the store tells whoever acts whether the lease still holds
      }
      if (!ended) schedule();
    };
    const schedule = (): void => {
      cancel = this.options.clock.schedule(this.options.ttlMs / 3, () => {
        const renewal: Promise<void> = renew().finally(() => this.renewals.delete(renewal));
        this.renewals.add(renewal);
      });
    };
    schedule();
    return () => {
      ended = true;
      cancel();
    };
  }

  /** Asks the store, whose clock decides. An answer that was long on its way says nothing about now. */
  async holds(lease: Lease): Promise<boolean> {
    const { leases, clock, ttlMs } = this.options;
    const askedMs = clock.monotonicMs();
    const held = await leases.holds(lease);
    return held && clock.monotonicMs() - askedMs < ttlMs / 3;
  }

  /** True while the lease has time left by the local clock; nothing to act upon. */
  remembers(name: string): boolean {
    return this.held.has(name);
  }

  /** Of the leases whose names begin so. */
  stats(prefix: string): LeaseStats {
    const nowMs = this.options.clock.monotonicMs();
    const taken = [...this.held].flatMap(([name, { safeUntilMs, takenMs }]) =>
      name.startsWith(prefix) && safeUntilMs > nowMs ? [takenMs] : [],
    );
    return { held: taken.length, oldestMs: taken.reduce((oldest, at) => Math.max(oldest, nowMs - at), 0) };
  }

  /** The store refused this lease: ask anew before the next pass. */
  forget(name: string): void {
    this.held.delete(name);
  }

  /** Drops what has expired, so that keys of the past take no room. */
  sweep(): void {
    const nowMs = this.options.clock.monotonicMs();
    for (const [name, { safeUntilMs }] of this.held) if (safeUntilMs <= nowMs) this.held.delete(name);
  }

  /** Lets other instances go on at once. Nothing may be taken or kept any more. */
  async releaseAll(): Promise<void> {
    await Promise.all(this.renewals); // one that is still under way would take the lease back
    this.sweep();
    const held = [...this.held.values()];
    this.held.clear();
    await Promise.all(held.map(({ lease }) => this.options.leases.release(lease)));
  }

  private async acquire(name: string): Promise<Lease | undefined> {
    const { leases, clock, holder, ttlMs } = this.options;
    const askedMs = clock.monotonicMs();
    const lease = await leases.acquire(name, holder, ttlMs);
    if (lease) {
      this.storeAheadMs = lease.storeMs - clock.monotonicMs();
      const before = this.held.get(name);
      const takenMs = before?.lease.epoch === lease.epoch ? before.takenMs : clock.monotonicMs();
      this.held.set(name, { lease, safeUntilMs: askedMs + ttlMs, takenMs });
    }
    if (!lease) this.held.delete(name);
    return lease;
  }
}
