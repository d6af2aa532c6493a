import type { Lease, Leases } from '@davit/event-log';
import type { Cancel, Clock } from '@davit/ports';

interface Held {
  readonly lease: Lease;
  /** Local time up to which the lease is surely ours: counted from before the store was asked. */
  readonly safeUntilMs: number;
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

  constructor(private readonly options: LeaseKeeperOptions) {}

  /** The lease with at least half of its time left, without asking the store while that is so; undefined when somebody else holds it. */
  async take(name: string): Promise<Lease | undefined> {
    const held = this.held.get(name);
    if (held && held.safeUntilMs - this.options.clock.nowMs() >= this.options.ttlMs / 2) return held.lease;
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
    const askedMs = clock.nowMs();
    const held = await leases.holds(lease);
    return held && clock.nowMs() - askedMs < ttlMs / 3;
  }

  /** True while the lease has time left by the local clock; nothing to act upon. */
  remembers(name: string): boolean {
    return this.held.has(name);
  }

  /** The store refused this lease: ask anew before the next pass. */
  forget(name: string): void {
    this.held.delete(name);
  }

  /** Drops what has expired, so that keys of the past take no room. */
  sweep(): void {
    const nowMs = this.options.clock.nowMs();
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
    const askedMs = this.options.clock.nowMs();
    const { leases, holder, ttlMs } = this.options;
    const lease = await leases.acquire(name, holder, ttlMs);
    if (lease) this.held.set(name, { lease, safeUntilMs: askedMs + ttlMs });
    else this.held.delete(name);
    return lease;
  }
}
