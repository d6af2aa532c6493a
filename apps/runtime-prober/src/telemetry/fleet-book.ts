import type { Clock } from '@davit/ports';
import { MetricSet, type Sample } from '@davit/service-kit';
import type { EngineReading } from '../metrics/reading.js';
import { type Rates, ratesBetween } from '../metrics/rates.js';
import * as shown from './definitions.js';
import type { ProbeObserver, Probed } from './observer.js';

type Numbers = Pick<EngineReading, 'running' | 'waiting'> & {
  readonly kvCacheUsage: number | null;
  readonly rates: Pick<Rates, 'promptTokensPerSecond' | 'generationTokensPerSecond'> | null;
};

/** Times are of the monotonic clock, in milliseconds. */
type Entry = {
  readonly labels: Readonly<Record<shown.ReplicaLabel, string>>;
  readonly ready: boolean;
  readonly probedMs: number;
  readonly numbers: Numbers | null;
  readonly whole: EngineReading | null;
  readonly readMs: number;
};

export type FleetBookOptions = {
  readonly clock: Clock;
  /** Replicas that are shown; further ones are only counted. Default 5 000, seven series each. */
  readonly most?: number;
  /** A replica that was not probed here for so long is somebody else's, or nobody's. Default 60 000. */
  readonly lifetimeMs?: number;
  /** Numbers of a server older than this say nothing. Default 30 000. */
  readonly readingLifetimeMs?: number;
};

/**
 * What this instance saw last of each replica that it probes, as metrics. A number that is not known, or too old, has no
 * series: it is never shown as zero (law 4).
 */
export class FleetBook implements ProbeObserver {
  readonly metrics = new MetricSet();
  private readonly entries = new Map<string, Entry>();
  private readonly omitted = new Set<string>();
  private readonly options: Required<FleetBookOptions>;

  constructor(options: FleetBookOptions) {
    this.options = { most: 5_000, lifetimeMs: 60_000, readingLifetimeMs: 30_000, ...options };
    const show = (definition: (typeof shown.FLEET_METRICS)[number], value: (entry: Entry) => number | null): void =>
      this.metrics.gauge(definition, () => this.samples(value));
    const number = (read: (numbers: Numbers) => number | null | undefined) => (entry: Entry) =>
      entry.numbers && this.ageMs(entry.readMs) <= this.options.readingLifetimeMs
        ? (read(entry.numbers) ?? null)
        : null;
    show(shown.READY, ({ ready }) => Number(ready));
    show(shown.PROBE_AGE, ({ probedMs }) => this.ageMs(probedMs) / 1_000);
    show(
      shown.RUNNING,
      number(({ running }) => running),
    );
    show(
      shown.WAITING,
      number(({ waiting }) => waiting),
    );
    show(
      shown.KV_CACHE,
      number(({ kvCacheUsage }) => kvCacheUsage),
    );
    show(
      shown.PROMPT_TOKENS,
      number(({ rates }) => rates?.promptTokensPerSecond),
    );
    show(
      shown.GENERATED_TOKENS,
      number(({ rates }) => rates?.generationTokensPerSecond),
    );
  }

  /** Replicas that there was no room for. */
  get leftOut(): number {
    return this.omitted.size;
  }

  probed(seen: Probed): void {
    const { id } = seen.replica;
    const before = this.entries.get(id);
    if (!before && this.entries.size >= this.options.most) {
      this.dropOld();
      if (this.entries.size >= this.options.most) return void this.omitted.add(id);
    }
    this.omitted.delete(id);
    const nowMs = this.options.clock.monotonicMs();
    this.entries.set(id, { ...this.numbersOf(seen, before, nowMs), ...faceOf(seen), probedMs: nowMs });
  }

  forgotten(id: string): void {
    this.entries.delete(id);
    this.omitted.delete(id);
  }

  private numbersOf({ reading }: Probed, before: Entry | undefined, nowMs: number) {
    if (!reading) {
      const { numbers = null, whole = null, readMs = nowMs } = before ?? {};
      return { numbers, whole, readMs };
    }
    const { running, waiting, kvCacheUsage, whole } = reading;
    const rates = before?.whole && whole ? ratesBetween(before.whole, whole, nowMs - before.readMs) : null;
    return { numbers: { running, waiting, kvCacheUsage, rates }, whole, readMs: nowMs };
  }

  private samples(value: (entry: Entry) => number | null): readonly Sample[] {
    this.dropOld();
    return [...this.entries.values()].flatMap((entry) => {
      const shownValue = value(entry);
      return shownValue === null ? [] : [{ labels: entry.labels, value: shownValue }];
    });
  }

  private dropOld(): void {
    for (const [id, { probedMs }] of this.entries)
      if (this.ageMs(probedMs) > this.options.lifetimeMs) this.entries.delete(id);
  }

  private ageMs(atMs: number): number {
    return this.options.clock.monotonicMs() - atMs;
  }
}

function faceOf({ replica, spec, result }: Probed): Pick<Entry, 'labels' | 'ready'> {
  const { tenant, deployment, id, servedName } = replica;
  const labels = { tenant, deployment, replica: id, engine: spec.runtime.engine, model: servedName };
  return { labels, ready: result.outcome === 'ready' };
}
