import type { Clock } from '@davit/ports';
import type { Lease, Leases } from '../event-log.js';

const TTL_MS = 2_000;
const RENEW_MS = 700;
const WATCH_MS = 250;

/** Decides which of several relays works while the others watch. A hint that saves work; never a guarantee. */
export class Seniority {
  readonly watchMs = WATCH_MS;
  private lease: Lease | undefined;
  private askAgainAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly stream: string,
    private readonly holder: string,
    private readonly leases: Leases | undefined,
    private readonly clock: Clock,
  ) {}

  async isLeading(): Promise<boolean> {
    if (!this.leases) return true;
    if (this.clock.monotonicMs() >= this.askAgainAtMs) {
      this.lease = undefined;
      this.lease = await this.leases.acquire(`relay/${this.stream}`, this.holder, TTL_MS);
      this.askAgainAtMs = this.clock.monotonicMs() + RENEW_MS;
    }
    return this.lease !== undefined;
  }

  async resign(): Promise<void> {
    if (this.lease) await this.leases?.release(this.lease);
    this.lease = undefined;
  }
}
