import type { Clock } from '@davit/ports';
import type { Lease, Leases } from '../event-log.js';

const TTL_MS = 2_000;
const RENEW_MS = 700;
const WATCH_MS = 250;

/** Decides which of several relays works while the others watch. A hint that saves work; never a guarantee. */
export class Seniority {
  readonly watchMs = WATCH_MS;
  private lease: Lease | undefined;
  /** Up to which the lease surely holds: counted from before the store was asked. */
  private safeUntilMs = Number.NEGATIVE_INFINITY;
  private askAgainAtMs = Number.NEGATIVE_INFINITY;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly stream: string,
    private readonly holder: string,
    private readonly leases: Leases | undefined,
    private readonly clock: Clock,
  ) {}

  /** A leader renews beside its work: nothing that waits to be published waits for that. Faults of the store pass through. */
  async isLeading(): Promise<boolean> {
    const { leases } = this;
    if (!leases) return true;
    const nowMs = this.clock.monotonicMs();
    if (nowMs < this.askAgainAtMs) return this.lease !== undefined;
    this.asking ??= this.ask(leases).finally(() => (this.asking = undefined));
    // A renewal that fails is tried again, and when the time is up its fault is told.
    if (this.lease && nowMs < this.safeUntilMs) this.asking.catch(() => undefined);
    else await this.asking;
    return this.lease !== undefined;
  }

  async resign(): Promise<void> {
    await this.asking?.catch(() => undefined); // it would take the lease back
    if (this.lease) await this.leases?.release(this.lease);
    this.lease = undefined;
  }

  private async ask(leases: Leases): Promise<void> {
    const askedMs = this.clock.monotonicMs();
    const lease = await leases.acquire(`relay/${this.stream}`, this.holder, TTL_MS);
    this.lease = lease;
    this.safeUntilMs = askedMs + TTL_MS;
    this.askAgainAtMs = this.clock.monotonicMs() + RENEW_MS;
  }
}
