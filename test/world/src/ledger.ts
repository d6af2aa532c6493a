import { type WorldClock } from './clock.js';

/** One stretch of time at one rate; open while `toMs` is null. */
export interface BillingSegment {
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly pricePerHour: number;
}

/** What really happened to one machine, whatever the provider's interface shows. */
export interface LedgerEntry {
  readonly id: string;
  readonly name: string;
  readonly cloud: string;
  readonly region: string;
  readonly accelerator: string;
  readonly gpuCount: number;
  /** USD an hour for the whole machine. */
  readonly pricePerHour: number;
  /** Who asked for it, for example `sky:<cluster>` or `vast:<workergroup>`. */
  readonly owner: string;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  readonly endReason: string | null;
  readonly segments: readonly BillingSegment[];
}

export interface LedgerReport {
  readonly running: number;
  readonly everCreated: number;
  readonly billedSeconds: number;
  readonly cost: number;
  readonly machines: readonly (LedgerEntry & { readonly billedSeconds: number })[];
}

/** The independent record of every machine ever created. Nothing the fault rules do can alter it. */
export class Ledger {
  private readonly entries = new Map<string, LedgerEntry>();

  constructor(
    private readonly clock: WorldClock,
    /** Called with each changed entry, so that a real run can keep it on disk. */
    private readonly onChange: (entry: LedgerEntry) => void = () => undefined,
  ) {}

  open(entry: Omit<LedgerEntry, 'createdAtMs' | 'endedAtMs' | 'endReason' | 'segments'>): void {
    const nowMs = this.clock.nowMs();
    this.put({
      ...entry,
      createdAtMs: nowMs,
      endedAtMs: null,
      endReason: null,
      segments: [{ fromMs: nowMs, toMs: null, pricePerHour: entry.pricePerHour }],
    });
  }

  /** From now on the machine costs `pricePerHour`; zero means it exists but is not billed. */
  reprice(id: string, pricePerHour: number): void {
    const entry = this.entries.get(id);
    if (!entry || entry.endedAtMs !== null || entry.segments.at(-1)?.pricePerHour === pricePerHour) return;
    const nowMs = this.clock.nowMs();
    this.put({
      ...entry,
      segments: [...closed(entry.segments, nowMs), { fromMs: nowMs, toMs: null, pricePerHour }],
    });
  }

  close(id: string, reason: string): void {
    const entry = this.entries.get(id);
    if (!entry || entry.endedAtMs !== null) return;
    const nowMs = this.clock.nowMs();
    this.put({ ...entry, endedAtMs: nowMs, endReason: reason, segments: closed(entry.segments, nowMs) });
  }

  everCreated(): readonly LedgerEntry[] {
    return [...this.entries.values()];
  }

  running(): readonly LedgerEntry[] {
    return this.everCreated().filter((entry) => entry.endedAtMs === null);
  }

  /** Seconds billed so far at any rate above zero, for one machine or for all. */
  billedSeconds(id?: string): number {
    return this.sum(id, (hours, price) => (price > 0 ? hours * 3600 : 0));
  }

  /** USD so far, for one machine or for all. */
  cost(id?: string): number {
    return this.sum(id, (hours, price) => hours * price);
  }

  report(): LedgerReport {
    return {
      running: this.running().length,
      everCreated: this.entries.size,
      billedSeconds: this.billedSeconds(),
      cost: this.cost(),
      machines: this.everCreated().map((entry) => ({ ...entry, billedSeconds: this.billedSeconds(entry.id) })),
    };
  }

  private sum(id: string | undefined, weigh: (hours: number, pricePerHour: number) => number): number {
    const nowMs = this.clock.nowMs();
    let total = 0;
    for (const entry of this.entries.values()) {
      if (id !== undefined && entry.id !== id) continue;
      for (const { fromMs, toMs, pricePerHour } of entry.segments)
        total += weigh(((toMs ?? nowMs) - fromMs) / 3_600_000, pricePerHour);
    }
    return total;
  }

  private put(entry: LedgerEntry): void {
    this.entries.set(entry.id, entry);
    this.onChange(entry);
  }
}

const closed = (segments: readonly BillingSegment[], nowMs: number): BillingSegment[] =>
  segments.map((segment) => (segment.toMs === null ? { ...segment, toMs: nowMs } : segment));
