import type { Sample, Series } from '../exposition/series.js';
import type { EngineMetrics, SleepState } from './names.js';

/** Sizes of an engine's cache: tokens of a block, and blocks. */
export type CacheSize = { readonly blockSize: number | null; readonly gpuBlocks: number | null };

export type Lora = {
  readonly running: readonly string[];
  readonly waiting: readonly string[];
  /** Adapters that fit at once. */
  readonly max: number | null;
  /** Unix time, seconds. */
  readonly at: number;
};

/** What stands for an engine that has no name. */
const UNNAMED = '-';

/** Names of the data-parallel engines, in order. */
export function enginesIn(samples: readonly Sample[], { engineLabel }: EngineMetrics): readonly string[] {
  const engines = new Set<string>();
  for (const { series } of samples) {
    const engine = engineLabel === null ? undefined : series.label(engineLabel);
    if (engine !== undefined) engines.add(engine);
  }
  return [...engines].sort();
}

export function sleepIn(samples: readonly Sample[], metrics: EngineMetrics): Readonly<Record<string, SleepState>> {
  const { sleep } = metrics;
  if (!sleep) return {};
  return Object.fromEntries(
    named(samples, sleep.names).flatMap(({ series, value }) => {
      const state = sleep.states[series.label(sleep.label) ?? ''];
      return value === 1 && state ? [[engineOf(series, metrics), state]] : [];
    }),
  );
}

export function cacheIn(samples: readonly Sample[], metrics: EngineMetrics): Readonly<Record<string, CacheSize>> {
  const { cache } = metrics;
  if (!cache) return {};
  return Object.fromEntries(
    named(samples, cache.names).map(({ series }) => [
      engineOf(series, metrics),
      { blockSize: wholeNumber(series.label(cache.blockSize)), gpuBlocks: wholeNumber(series.label(cache.blocks)) },
    ]),
  );
}

/** Each set of adapters leaves a row behind for good; the newest is the present one. */
export function loraIn(samples: readonly Sample[], { lora }: EngineMetrics): Lora | null {
  if (!lora) return null;
  const rows = named(samples, lora.names);
  const newest = rows.reduce<Sample | undefined>(
    (best, row) => (best && best.value >= row.value ? best : row),
    undefined,
  );
  if (!newest) return null;
  const { series, value } = newest;
  const list = (label: string): readonly string[] =>
    (series.label(label) ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
  return {
    running: list(lora.running),
    waiting: list(lora.waiting),
    max: wholeNumber(series.label(lora.max)),
    at: value,
  };
}

/** The rows of the best name that is there. */
function named(samples: readonly Sample[], names: readonly string[]): readonly Sample[] {
  for (const name of names) {
    const rows = samples.filter(({ series }) => series.name === name);
    if (rows.length > 0) return rows;
  }
  return [];
}

const engineOf = (series: Series, { engineLabel }: EngineMetrics): string =>
  (engineLabel === null ? undefined : series.label(engineLabel)) ?? UNNAMED;

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
