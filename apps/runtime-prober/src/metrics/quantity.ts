import type { Sample } from './sample.js';

/** What one thing an engine reports is called, best name first: of several present in a group only the best is read. */
export type Quantity = {
  readonly names: readonly string[];
  /** Counts add up over engines. Of ratios the largest is read: for safety the fullest cache matters. */
  readonly kind: 'count' | 'ratio';
};

/** Labels that part a server's own engines; each engine may report under another name in a release of transition. */
const GROUP_LABELS = ['model_name', 'engine', 'dp_rank'] as const;

const MOST_RATIO = 1.001;

/**
 * One number for a quantity over all series of a scrape; null when the server did not say, which is never zero.
 * @param sameThing labels that only tell who wrote a series (process or rank): their series are one, and the largest counts
 */
export function measure(samples: readonly Sample[], quantity: Quantity, sameThing: readonly string[]): number | null {
  const groups = new Map<string, { rank: number; readonly series: Map<string, number> }>();
  for (const sample of samples) {
    const rank = quantity.names.indexOf(sample.name);
    if (rank < 0 || !isPlausible(sample.value, quantity.kind)) continue;
    const key = JSON.stringify(GROUP_LABELS.map((label) => sample.labels.get(label) ?? null));
    let group = groups.get(key);
    if (!group || rank < group.rank) {
      group = { rank, series: new Map() };
      groups.set(key, group);
    } else if (rank > group.rank) continue;
    const series = seriesKey(sample, sameThing);
    group.series.set(series, Math.max(group.series.get(series) ?? 0, sample.value));
  }
  const values = [...groups.values()].flatMap(({ series }) => [...series.values()]);
  if (values.length === 0) return null;
  const whole =
    quantity.kind === 'count'
      ? values.reduce((sum, value) => sum + value, 0)
      : Math.min(
          1,
          values.reduce((most, value) => Math.max(most, value), 0),
        );
  return Number.isFinite(whole) ? whole : null;
}

const isPlausible = (value: number, kind: Quantity['kind']): boolean =>
  value >= 0 && (kind === 'count' || value <= MOST_RATIO);

const seriesKey = ({ labels }: Sample, sameThing: readonly string[]): string =>
  JSON.stringify([...labels].filter(([name]) => !sameThing.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
