import type { Clock } from '@davit/ports';
import type { GrantedLease, Lease, Leases } from '../event-log.js';

interface Held {
  readonly holder: string;
  readonly epoch: number;
  readonly expiresAtMs: number;
}

/** Leases in memory, on the given clock; the same rules as `PostgresLeases`. */
export class MemoryLeases implements Leases {
  private readonly held = new Map<string, Held>();

  constructor(private readonly clock: Clock) {}

  acquire(name: string, holder: string, ttlMs: number): Promise<GrantedLease | undefined> {
    const present = this.held.get(name);
    const alive = present !== undefined && present.expiresAtMs > this.clock.nowMs();
    if (alive && present.holder !== holder) return Promise.resolve(undefined);
    const epoch = alive ? present.epoch : (present?.epoch ?? 0) + 1;
    this.held.set(name, { holder, epoch, expiresAtMs: this.clock.nowMs() + ttlMs });
    return Promise.resolve({ name, holder, epoch, storeMs: this.clock.nowMs() });
  }

  holds({ name, holder, epoch }: Lease): Promise<boolean> {
    return Promise.resolve(this.isCurrent(name, epoch) && this.held.get(name)?.holder === holder);
  }

  release({ name, holder, epoch }: Lease): Promise<void> {
    const present = this.held.get(name);
    if (present?.holder === holder && present.epoch === epoch) {
      this.held.set(name, { holder, epoch, expiresAtMs: Number.NEGATIVE_INFINITY });
    }
    return Promise.resolve();
  }

  /** What the append checks: this epoch is the present one and has not expired. */
  isCurrent(name: string, epoch: number): boolean {
    const present = this.held.get(name);
    return present?.epoch === epoch && present.expiresAtMs > this.clock.nowMs();
  }
}
