import { WantedNames } from '../exposition/wanted-names.js';

/** What one thing an engine reports is called, best name first: of several present in a group only the best is read. */
export type Quantity = {
  readonly names: readonly string[];
  readonly kind: QuantityKind;
  /** Of a histogram, the series of each name. */
  readonly parts?: readonly HistogramParts[];
};

/** Names of the series that one histogram is written in. */
export type HistogramParts = { readonly sum: string; readonly count: string; readonly bucket: string };

/**
 * Counts add up over engines. Of gauges, any numbers that are not negative, the largest is read. Ratios lie between 0 and 1; a
 * hit rate is one that says by -1 that it is switched off. A histogram is read from the `_sum`, `_count` and `_bucket` of its
 * name.
 */
export type QuantityKind = 'count' | 'gauge' | 'ratio' | 'hit-rate' | 'histogram';

export const counts = (...names: readonly string[]): Quantity => ({ names, kind: 'count' });
export const gauge = (...names: readonly string[]): Quantity => ({ names, kind: 'gauge' });
export const ratio = (...names: readonly string[]): Quantity => ({ names, kind: 'ratio' });
export const hitRate = (...names: readonly string[]): Quantity => ({ names, kind: 'hit-rate' });
export const histogram = (...names: readonly string[]): Quantity => ({
  names,
  kind: 'histogram',
  parts: names.map((name) => ({ sum: `${name}_sum`, count: `${name}_count`, bucket: `${name}_bucket` })),
});

/** Counts by the value of a label, best name of the label first. */
export type Labelled = { readonly quantity: Quantity; readonly labels: readonly string[] };

/** A series that tells by its labels; it has one meaning under several names. */
export type Info<Label extends string> = { readonly names: readonly string[] } & Readonly<Record<Label, string>>;

/** Names under which an engine reports load and progress. What it does not report is absent. */
export type EngineMetrics = {
  readonly path: string;
  readonly needsKey: boolean;
  readonly running: Quantity;
  readonly waiting: Quantity;
  readonly swapped?: Quantity;
  readonly waitingByReason?: Labelled;
  readonly kvCacheUsage: Quantity | null;
  readonly prefixQueries?: Quantity;
  readonly prefixHits?: Quantity;
  /** A ratio that the engine works out itself. */
  readonly prefixHitRate?: Quantity;
  readonly promptTokens: Quantity;
  readonly cachedPromptTokens?: Quantity;
  readonly generationTokens: Quantity;
  readonly preemptions?: Quantity;
  readonly finished?: Labelled;
  readonly firstTokenSeconds?: Quantity;
  readonly interTokenSeconds?: Quantity;
  readonly endToEndSeconds?: Quantity;
  readonly queueSeconds?: Quantity;
  /** Requests that ended, or were taken in, where the engine does not tell why they ended. */
  readonly requests?: Quantity;
  /** Facts in the labels of a series that is 1: size of a block of the cache in tokens, and their number. */
  readonly cache?: Info<'blockSize' | 'blocks'>;
  /** Adapters in the labels of a series whose value is a Unix time: the newest row is the present one. */
  readonly lora?: Info<'running' | 'waiting' | 'max'>;
  /** A series for each state, of which one is 1. */
  readonly sleep?: Info<'label'> & { readonly states: Readonly<Record<string, SleepState>> };
  /** Counters that move whenever the engine works; all still while requests are in it is the mark of a hang. */
  readonly progress: readonly Quantity[];
  /** Numbers that no other engine has, by the name that readers see. */
  readonly further?: Readonly<Record<string, Quantity>>;
  /** Label that tells data-parallel engines of one server apart; null where it has one only. */
  readonly engineLabel: string | null;
  /** Labels that only tell which process or rank wrote a series: of those that differ in nothing else the largest is read. */
  readonly sameThing: readonly string[];
};

export type SleepState = 'awake' | 'level1' | 'level2';

const QUANTITIES = [
  'running',
  'waiting',
  'swapped',
  'kvCacheUsage',
  'prefixQueries',
  'prefixHits',
  'prefixHitRate',
  'promptTokens',
  'cachedPromptTokens',
  'generationTokens',
  'preemptions',
  'firstTokenSeconds',
  'interTokenSeconds',
  'endToEndSeconds',
  'queueSeconds',
  'requests',
] as const satisfies readonly (keyof EngineMetrics)[];

/** Every quantity that an engine reports. */
export const quantitiesOf = (metrics: EngineMetrics): readonly Quantity[] => [
  ...QUANTITIES.flatMap((name) => metrics[name] ?? []),
  ...[metrics.waitingByReason, metrics.finished].flatMap((labelled) => labelled?.quantity ?? []),
  ...metrics.progress,
  ...Object.values(metrics.further ?? {}),
];

/** Names of the series in which a quantity is written. */
export const seriesNames = ({ names, parts }: Quantity): readonly string[] =>
  parts?.flatMap(({ sum, count, bucket }) => [sum, count, bucket]) ?? names;

const known = new WeakMap<EngineMetrics, WantedNames>();

/** Names of samples to read, as they stand on the wire; the same object for all bodies of a kind of engine. */
export function wantedNames(metrics: EngineMetrics): WantedNames {
  const before = known.get(metrics);
  if (before) return before;
  const infos = [metrics.cache, metrics.lora, metrics.sleep].flatMap((info) => info?.names ?? []);
  const names = new WantedNames(new Set([...quantitiesOf(metrics).flatMap(seriesNames), ...infos]));
  known.set(metrics, names);
  return names;
}
