import { type Histogram, histogramOf } from './histogram.js';
import { type Shares, byLabel, implausible, largest, shares, total } from './measure.js';
import { type EngineMetrics, type SleepState, quantitiesOf } from './names.js';
import type { Sample } from './sample.js';
import type { Scan } from './scan.js';

/**
 * What a server said of itself at one moment, over all its data-parallel engines. Counts of tokens and requests are since it
 * began. Null is "it did not say" and never zero (law 4).
 */
export type EngineReading = {
  readonly running: number | null;
  readonly waiting: number | null;
  readonly swapped: number | null;
  readonly waitingByReason: Readonly<Record<string, number>> | null;
  readonly kvCacheUsage: Shares | null;
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
  readonly firstTokenSeconds: Histogram | null;
  readonly interTokenSeconds: Histogram | null;
  readonly endToEndSeconds: Histogram | null;
  readonly queueSeconds: Histogram | null;
  /** Names of its data-parallel engines; empty where it does not tell them apart. */
  readonly engines: readonly string[];
  /** By engine, `-` where it names none. */
  readonly sleep: Readonly<Record<string, SleepState>>;
  readonly cache: Readonly<Record<string, { readonly blockSize: number | null; readonly gpuBlocks: number | null }>>;
  readonly lora: Lora | null;
  /** Numbers that only this kind of engine has. */
  readonly further: Readonly<Record<string, number | null>>;
  /** Changes whenever the engine works; null when it reports no counters. */
  readonly progress: string | null;
};

export type Lora = {
  readonly running: readonly string[];
  readonly waiting: readonly string[];
  readonly max: number | null;
  /** Unix time, seconds. */
  readonly at: number;
};

/** What was wrong with a scrape, beside what it says. */
export type ScrapeFaults = Pick<Scan, 'malformed' | 'nonFinite' | 'duplicates' | 'truncated' | 'series'> & {
  /** Samples whose value cannot be what they say they are, such as a negative count. */
  readonly outOfRange: number;
};

/** @param servedModel of several models on one server only this one is read */
export function readingOf(scan: Scan, metrics: EngineMetrics, servedModel?: string): EngineReading {
  const samples = ofModel(scan.samples, servedModel);
  const { sameThing } = metrics;
  const queries = total(samples, metrics.prefixQueries, sameThing);
  const hits = total(samples, metrics.prefixHits, sameThing);
  const finished = metrics.finished ? byLabel(samples, metrics.finished, sameThing) : null;
  const counters = metrics.progress.map((quantity) => total(samples, quantity, sameThing));
  return {
    running: total(samples, metrics.running, sameThing),
    waiting: total(samples, metrics.waiting, sameThing),
    swapped: total(samples, metrics.swapped, sameThing),
    waitingByReason: metrics.waitingByReason ? byLabel(samples, metrics.waitingByReason, sameThing) : null,
    kvCacheUsage: shares(samples, metrics.kvCacheUsage, sameThing),
    prefixCache: {
      queries,
      hits,
      hitRate: hitRate(queries, hits) ?? largest(samples, metrics.prefixHitRate, sameThing),
    },
    promptTokens: total(samples, metrics.promptTokens, sameThing),
    cachedPromptTokens: total(samples, metrics.cachedPromptTokens, sameThing),
    generationTokens: total(samples, metrics.generationTokens, sameThing),
    preemptions: total(samples, metrics.preemptions, sameThing),
    finished,
    finishedTotal: finished && Object.values(finished).reduce((sum, count) => sum + count, 0),
    firstTokenSeconds: histogramOf(samples, metrics.firstTokenSeconds, sameThing),
    interTokenSeconds: histogramOf(samples, metrics.interTokenSeconds, sameThing),
    endToEndSeconds: histogramOf(samples, metrics.endToEndSeconds, sameThing),
    queueSeconds: histogramOf(samples, metrics.queueSeconds, sameThing),
    engines: enginesIn(samples),
    sleep: sleepIn(samples, metrics.sleep),
    cache: cacheIn(samples, metrics.cache),
    lora: loraIn(samples, metrics.lora),
    further: Object.fromEntries(
      Object.entries(metrics.further ?? {}).map(([name, quantity]) => [
        name,
        quantity.kind === 'count' ? total(samples, quantity, sameThing) : largest(samples, quantity, sameThing),
      ]),
    ),
    progress: counters.every((counter) => counter === null) ? null : JSON.stringify(counters),
  };
}

export const faultsOf = ({ samples, ...scan }: Scan, metrics: EngineMetrics): ScrapeFaults => ({
  malformed: scan.malformed,
  nonFinite: scan.nonFinite,
  duplicates: scan.duplicates,
  truncated: scan.truncated,
  series: scan.series,
  outOfRange: implausible(samples, quantitiesOf(metrics)),
});

/**
 * Rows of one model. vLLM writes the first of several served names, whichever is asked for, so that rows of another name are
 * still its own where there is no third.
 */
function ofModel(samples: readonly Sample[], servedModel: string | undefined): readonly Sample[] {
  if (servedModel === undefined) return samples;
  const models = new Set(samples.flatMap(({ labels }) => labels.get('model_name') ?? []));
  if (models.size <= 1) return samples;
  return samples.filter(({ labels }) => (labels.get('model_name') ?? servedModel) === servedModel);
}

const hitRate = (queries: number | null, hits: number | null): number | null =>
  queries === null || hits === null || queries === 0 ? null : hits / queries;

const enginesIn = (samples: readonly Sample[]): readonly string[] =>
  [...new Set(samples.flatMap(({ labels }) => labels.get('engine') ?? []))].sort();

const engineOf = ({ labels }: Sample): string => labels.get('engine') ?? '-';

function sleepIn(samples: readonly Sample[], sleep: EngineMetrics['sleep']): Readonly<Record<string, SleepState>> {
  if (!sleep) return {};
  return Object.fromEntries(
    samples.flatMap((sample) => {
      const state = sleep.states[sample.labels.get(sleep.label) ?? ''];
      return sample.name === sleep.name && sample.value === 1 && state ? [[engineOf(sample), state]] : [];
    }),
  );
}

function cacheIn(samples: readonly Sample[], cache: EngineMetrics['cache']): EngineReading['cache'] {
  if (!cache) return {};
  return Object.fromEntries(
    samples
      .filter(({ name }) => name === cache.name)
      .map((sample) => [
        engineOf(sample),
        {
          blockSize: wholeNumber(sample.labels.get(cache.blockSize)),
          gpuBlocks: wholeNumber(sample.labels.get(cache.blocks)),
        },
      ]),
  );
}

/** Each set of adapters leaves a row behind for good; the newest is the present one. */
function loraIn(samples: readonly Sample[], lora: EngineMetrics['lora']): Lora | null {
  if (!lora) return null;
  const rows = samples.filter(({ name }) => name === lora.name);
  const newest = rows.reduce<Sample | undefined>(
    (best, row) => (best && best.value >= row.value ? best : row),
    undefined,
  );
  if (!newest) return null;
  const list = (label: string): readonly string[] =>
    (newest.labels.get(label) ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  return {
    running: list(lora.running),
    waiting: list(lora.waiting),
    max: wholeNumber(newest.labels.get(lora.max)),
    at: newest.value,
  };
}

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
