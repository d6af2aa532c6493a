/** What one thing an engine reports is called, best name first: of several present in a group only the best is read. */
export type Quantity = {
  readonly names: readonly string[];
  /**
   * Counts add up over engines. Ratios lie between 0 and 1, and say so by -1 when they are switched off. A histogram is read
   * from the `_sum`, `_count` and `_bucket` of its name.
   */
  readonly kind: 'count' | 'ratio' | 'histogram' | 'gauge';
};

export const counts = (...names: readonly string[]): Quantity => ({ names, kind: 'count' });
export const ratio = (...names: readonly string[]): Quantity => ({ names, kind: 'ratio' });
export const histogram = (...names: readonly string[]): Quantity => ({ names, kind: 'histogram' });
/** Any number that is not negative; of several the largest is read. */
export const gauge = (...names: readonly string[]): Quantity => ({ names, kind: 'gauge' });

/** Counts by the value of a label. */
export type Labelled = { readonly quantity: Quantity; readonly labels: readonly string[] };

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
  /** Facts in the labels of a series that is 1: sizes of the cache. */
  readonly cache?: { readonly name: string; readonly blockSize: string; readonly blocks: string };
  /** Adapters in the labels of a series whose value is a Unix time: the newest row is the present one. */
  readonly lora?: { readonly name: string; readonly running: string; readonly waiting: string; readonly max: string };
  /** A series for each state, of which one is 1. */
  readonly sleep?: {
    readonly name: string;
    readonly label: string;
    readonly states: Readonly<Record<string, SleepState>>;
  };
  /** Counters that move whenever the engine works; all still while requests are in it is the mark of a hang. */
  readonly progress: readonly Quantity[];
  /** Numbers that no other engine has, by the name that readers see. */
  readonly further?: Readonly<Record<string, Quantity>>;
  /** Labels that only tell which process or rank wrote a series. */
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
] as const satisfies readonly (keyof EngineMetrics)[];

/** Every quantity that an engine reports. */
export const quantitiesOf = (metrics: EngineMetrics): readonly Quantity[] => [
  ...QUANTITIES.flatMap((name) => metrics[name] ?? []),
  ...[metrics.waitingByReason, metrics.finished].flatMap((labelled) => labelled?.quantity ?? []),
  ...metrics.progress,
  ...Object.values(metrics.further ?? {}),
];

const seriesNames = ({ names, kind }: Quantity): readonly string[] =>
  kind === 'histogram' ? names.flatMap((name) => [`${name}_sum`, `${name}_count`, `${name}_bucket`]) : names;

/** Names of samples to read, as they stand on the wire. */
export const wantedNames = (metrics: EngineMetrics): ReadonlySet<string> =>
  new Set([
    ...quantitiesOf(metrics).flatMap(seriesNames),
    ...[metrics.cache, metrics.lora, metrics.sleep].flatMap((info) => info?.name ?? []),
  ]);
