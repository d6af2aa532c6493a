import type { Scan } from '../exposition/scanner.js';
import type { Sample } from '../exposition/series.js';
import {
  type Counter,
  type EngineCounters,
  LATENCIES,
  type LatencyName,
  addUp,
  byLabel,
  counterTable,
  countersOf,
  total,
} from './counters.js';
import { type CacheSize, type Lora, cacheIn, enginesIn, loraIn, sleepIn } from './facts.js';
import { type Rows, finite, groupsOf, samplesOf, sumOf } from './groups.js';
import { type Histogram, together } from './histogram.js';
import { type EngineMetrics, type Quantity, type SleepState, seriesNames } from './names.js';
import { type ScrapeFaults, faultsOf } from './faults.js';

/** A share of each engine: the fullest for safety, the mean for capacity, never a sum. 0 to 1. */
export type Shares = { readonly max: number; readonly mean: number };

/**
 * What a server said of itself at one moment, over all its data-parallel engines. Counts of tokens and requests are since it
 * began, times are in seconds. Null is "it did not say" and never zero (law 4).
 */
export type EngineReading = Readonly<Record<LatencyName, Histogram | null>> & {
  /** Requests in the batch, waiting for it, and put aside for want of cache. */
  readonly running: number | null;
  readonly waiting: number | null;
  readonly swapped: number | null;
  readonly waitingByReason: Readonly<Record<string, number>> | null;
  readonly kvCacheUsage: Shares | null;
  /** In tokens; in blocks before vLLM 0.9. */
  readonly prefixCache: {
    readonly queries: number | null;
    readonly hits: number | null;
    /** Hits a query, else the engine's own ratio. */
    readonly hitRate: number | null;
  };
  readonly promptTokens: number | null;
  readonly cachedPromptTokens: number | null;
  readonly generationTokens: number | null;
  readonly preemptions: number | null;
  /** Requests that ended, by why. */
  readonly finished: Readonly<Record<string, number>> | null;
  readonly finishedTotal: number | null;
  /** Where the engine does not tell why requests end. */
  readonly requests: number | null;
  /** Names of its data-parallel engines; empty where it does not tell them apart. */
  readonly engines: readonly string[];
  /** By engine, `-` where it names none. */
  readonly sleep: Readonly<Record<string, SleepState>>;
  readonly cache: Readonly<Record<string, CacheSize>>;
  readonly lora: Lora | null;
  /** Numbers that only this kind of engine has. */
  readonly further: Readonly<Record<string, number | null>>;
  /** Changes whenever the engine works; null when it reports no counters. */
  readonly progress: string | null;
  /** The counters of each engine by itself, from which rates are worked out: their sums hide one that began anew. */
  readonly counters: ReadonlyMap<string, EngineCounters>;
  /** What was wrong with the body. */
  readonly scrape: ScrapeFaults;
};

/**
 * Reads a scan as the kind of engine that wrote it.
 * @param servedModel of several models on one server only this one is read
 */
export function readingOf(scan: Scan, metrics: EngineMetrics, servedModel?: string): EngineReading {
  const { rows: samples, facts } = ofModel([...scan.samples], servedModel);
  const groups = [...groupsOf(samples, metrics.engineLabel)];
  const names = new Set(samples.map(({ series }) => series.name));
  const written = (quantity: Quantity | null | undefined): boolean =>
    quantity ? seriesNames(quantity).some((name) => names.has(name)) : false;
  const table = counterTable(metrics, written);
  const counters = new Map(groups.map(([key, rows]) => [key, countersOf(rows, table)]));
  const engines = [...counters.values()];
  const { sameThing } = metrics;
  const sum = (quantity: Quantity | undefined): number | null =>
    written(quantity) ? sumOf(groups.flatMap(([, rows]) => total(rows, quantity, sameThing) ?? [])) : null;
  const all = (quantity: Quantity | null | undefined): readonly number[] =>
    quantity && written(quantity) ? groups.flatMap(([, rows]) => valuesOf(rows, quantity, sameThing)) : [];
  const counted = (counter: Counter): number | null => sumOf(engines.flatMap((engine) => engine[counter] ?? []));
  const queries = counted('prefixQueries');
  const hits = counted('prefixHits');
  const finished = addUp(engines.map((engine) => engine.finished));
  const progress = metrics.progress.map(sum);
  return {
    running: sum(metrics.running),
    waiting: sum(metrics.waiting),
    swapped: sum(metrics.swapped),
    waitingByReason: written(metrics.waitingByReason?.quantity)
      ? addUp(groups.map(([, rows]) => byLabel(rows, metrics.waitingByReason, sameThing)))
      : null,
    kvCacheUsage: sharesOf(all(metrics.kvCacheUsage)),
    prefixCache: { queries, hits, hitRate: share(hits, queries) ?? sharesOf(all(metrics.prefixHitRate))?.max ?? null },
    promptTokens: counted('promptTokens'),
    cachedPromptTokens: counted('cachedPromptTokens'),
    generationTokens: counted('generationTokens'),
    preemptions: counted('preemptions'),
    finished,
    finishedTotal: finished && sumOf(Object.values(finished)),
    requests: counted('requests'),
    ...latenciesOf(engines),
    engines: enginesIn(samples, metrics),
    sleep: sleepIn(facts, metrics),
    cache: cacheIn(facts, metrics),
    lora: loraIn(facts, metrics),
    further: Object.fromEntries(
      Object.entries(metrics.further ?? {}).map(([name, quantity]) => [
        name,
        quantity.kind === 'count' ? sum(quantity) : largestOf(all(quantity)),
      ]),
    ),
    progress: progress.every((counter) => counter === null) ? null : JSON.stringify(progress),
    counters,
    scrape: faultsOf(scan, metrics),
  };
}

/**
 * Rows of one model. vLLM writes the first of several served names, whichever is asked for, so that rows of another name are
 * still its own where there is no third. Facts that no row tells by model are kept with any.
 */
function ofModel(
  samples: readonly Sample[],
  servedModel: string | undefined,
): { readonly rows: readonly Sample[]; readonly facts: readonly Sample[] } {
  const models = new Set(
    servedModel === undefined ? [] : samples.flatMap(({ series }) => series.label('model_name') ?? []),
  );
  const isThere = servedModel !== undefined && models.has(servedModel);
  if (!isThere && models.size <= 1) return { rows: samples, facts: samples };
  const rows = samples.filter(({ series }) => series.label('model_name') === servedModel);
  return { rows, facts: samples.filter(({ series }) => (series.label('model_name') ?? servedModel) === servedModel) };
}

function latenciesOf(engines: readonly EngineCounters[]): Readonly<Record<LatencyName, Histogram | null>> {
  const [first, inter, whole, queue] = LATENCIES.map((name) =>
    together(engines.flatMap((engine) => engine[name] ?? [])),
  );
  return {
    firstTokenSeconds: first ?? null,
    interTokenSeconds: inter ?? null,
    endToEndSeconds: whole ?? null,
    queueSeconds: queue ?? null,
  };
}

const valuesOf = (rows: Rows, quantity: Quantity, sameThing: readonly string[]): readonly number[] =>
  samplesOf(rows, quantity, sameThing).map(({ value }) => value);

const largestOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((most, value) => Math.max(most, value), 0);

function sharesOf(values: readonly number[]): Shares | null {
  const capped = values.map((value) => Math.min(1, value));
  const max = largestOf(capped);
  return max === null ? null : { max, mean: capped.reduce((sum, value) => sum + value, 0) / capped.length };
}

const share = (hits: number | null, queries: number | null): number | null =>
  hits === null || queries === null || queries === 0 ? null : finite(hits / queries);
