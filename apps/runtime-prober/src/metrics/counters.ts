import { type Observations, observationsOf } from './histogram.js';
import { type Rows, finite, samplesOf, sumOf } from './groups.js';
import type { EngineMetrics, Labelled, Quantity } from './names.js';

/** What grows only, as long as an engine runs. */
export const COUNTERS = [
  'promptTokens',
  'cachedPromptTokens',
  'generationTokens',
  'preemptions',
  'prefixQueries',
  'prefixHits',
  'requests',
] as const;
export type Counter = (typeof COUNTERS)[number];

export const LATENCIES = ['firstTokenSeconds', 'interTokenSeconds', 'endToEndSeconds', 'queueSeconds'] as const;
export type LatencyName = (typeof LATENCIES)[number];

/** All that one engine of a server has counted since it began. Null is "it did not say". */
export type EngineCounters = Readonly<Record<Counter, number | null>> &
  Readonly<Record<LatencyName, Observations | null>> & {
    /** Requests that ended, by why. */
    readonly finished: Readonly<Record<string, number>> | null;
  };

/** What to count an engine by; undefined is what nobody wrote. */
export type CounterTable = Readonly<Record<Counter | LatencyName, Quantity | undefined>> & {
  readonly finished: Labelled | undefined;
  readonly sameThing: readonly string[];
};

/** @param written tells whether any engine of the server wrote a quantity: what none wrote need not be looked for in each */
export function counterTable(
  metrics: EngineMetrics,
  written: (quantity: Quantity | undefined) => boolean,
): CounterTable {
  const use = (name: Counter | LatencyName): Quantity | undefined =>
    written(metrics[name]) ? metrics[name] : undefined;
  return {
    promptTokens: use('promptTokens'),
    cachedPromptTokens: use('cachedPromptTokens'),
    generationTokens: use('generationTokens'),
    preemptions: use('preemptions'),
    prefixQueries: use('prefixQueries'),
    prefixHits: use('prefixHits'),
    requests: use('requests'),
    firstTokenSeconds: use('firstTokenSeconds'),
    interTokenSeconds: use('interTokenSeconds'),
    endToEndSeconds: use('endToEndSeconds'),
    queueSeconds: use('queueSeconds'),
    finished: written(metrics.finished?.quantity) ? metrics.finished : undefined,
    sameThing: metrics.sameThing,
  };
}

export function countersOf(rows: Rows, table: CounterTable): EngineCounters {
  const { sameThing } = table;
  const count = (name: Counter): number | null => total(rows, table[name], sameThing);
  const time = (name: LatencyName): Observations | null => observationsOf(rows, table[name], sameThing);
  return {
    promptTokens: count('promptTokens'),
    cachedPromptTokens: count('cachedPromptTokens'),
    generationTokens: count('generationTokens'),
    preemptions: count('preemptions'),
    prefixQueries: count('prefixQueries'),
    prefixHits: count('prefixHits'),
    requests: count('requests'),
    firstTokenSeconds: time('firstTokenSeconds'),
    interTokenSeconds: time('interTokenSeconds'),
    endToEndSeconds: time('endToEndSeconds'),
    queueSeconds: time('queueSeconds'),
    finished: byLabel(rows, table.finished, sameThing),
  };
}

/** The sum of a quantity in one engine. */
export function total(rows: Rows, quantity: Quantity | undefined, sameThing: readonly string[]): number | null {
  return quantity ? sumOf(samplesOf(rows, quantity, sameThing).map(({ value }) => value)) : null;
}

/** Sums by the value of a label, `unknown` where there is none. */
export function byLabel(
  rows: Rows,
  labelled: Labelled | undefined,
  sameThing: readonly string[],
): Readonly<Record<string, number>> | null {
  if (!labelled) return null;
  const { quantity, labels } = labelled;
  return addUp(
    samplesOf(rows, quantity, sameThing).map(({ series, value }) => {
      const label = labels.find((name) => series.label(name) !== undefined);
      return { [(label === undefined ? undefined : series.label(label)) ?? 'unknown']: value };
    }),
  );
}

/** Adds records up name by name; null of none, and where a sum is too large to be a number. */
export function addUp(
  parts: readonly (Readonly<Record<string, number>> | null)[],
): Readonly<Record<string, number>> | null {
  const sums = new Map<string, number>();
  for (const part of parts)
    for (const [name, value] of Object.entries(part ?? {})) sums.set(name, (sums.get(name) ?? 0) + value);
  if (sums.size === 0 || [...sums.values()].some((sum) => finite(sum) === null)) return null;
  return Object.fromEntries(sums);
}
