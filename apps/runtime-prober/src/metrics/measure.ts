import type { Labelled, Quantity } from './names.js';
import type { Sample } from './sample.js';

/** Labels that part a server's own engines; each engine may report under another name in a release of transition. */
const GROUP_LABELS = ['model_name', 'engine', 'dp_rank'] as const;

/** Ratios are written a little too large now and then; what is larger is no ratio. */
const MOST_RATIO = 1.001;

type Group = { rank: number; readonly series: Map<string, Sample> };

/**
 * The series of a quantity that count: in each group of (model, engine) those of the best name only, for a server in its
 * transition releases publishes one fact under two names; and of series that differ only in who wrote them the largest.
 * @param nameOf the name to look for, where it is not the quantity's own
 * @param sameThing labels that only tell who wrote a series (process or rank)
 */
export function seriesOf(
  samples: readonly Sample[],
  quantity: Quantity,
  sameThing: readonly string[],
  nameOf: (name: string) => string = (name) => name,
): readonly Sample[] {
  const ranks = new Map(quantity.names.map((name, rank) => [nameOf(name), rank]));
  const groups = new Map<string, Group>();
  for (const sample of samples) {
    const rank = ranks.get(sample.name);
    if (rank === undefined || !isPlausible(sample.value, quantity.kind)) continue;
    const key = groupOf(sample);
    let group = groups.get(key);
    if (!group || rank < group.rank) {
      group = { rank, series: new Map() };
      groups.set(key, group);
    } else if (rank > group.rank) continue;
    const series = seriesKey(sample, sameThing);
    const held = group.series.get(series);
    if (!held || sample.value > held.value) group.series.set(series, sample);
  }
  return [...groups.values()].flatMap(({ series }) => [...series.values()]);
}

/** The sum over engines; null when the server did not say, which is never zero. */
export function total(
  samples: readonly Sample[],
  quantity: Quantity | undefined,
  sameThing: readonly string[],
): number | null {
  return quantity ? sumOf(seriesOf(samples, quantity, sameThing)) : null;
}

/** The largest of all; null when the server did not say. */
export function largest(
  samples: readonly Sample[],
  quantity: Quantity | undefined,
  sameThing: readonly string[],
): number | null {
  const series = quantity ? seriesOf(samples, quantity, sameThing) : [];
  return series.length === 0 ? null : series.reduce((most, { value }) => Math.max(most, value), 0);
}

/** A share of each engine: the fullest for safety, the mean for capacity, never a sum. */
export type Shares = { readonly max: number; readonly mean: number };

export function shares(
  samples: readonly Sample[],
  quantity: Quantity | null | undefined,
  sameThing: readonly string[],
): Shares | null {
  const values = quantity ? seriesOf(samples, quantity, sameThing).map(({ value }) => Math.min(1, value)) : [];
  if (values.length === 0) return null;
  const sum = values.reduce((whole, value) => whole + value, 0);
  return { max: values.reduce((most, value) => Math.max(most, value), 0), mean: sum / values.length };
}

/** Sums by the value of a label; null when the server did not say. */
export function byLabel(
  samples: readonly Sample[],
  { quantity, labels }: Labelled,
  sameThing: readonly string[],
): Readonly<Record<string, number>> | null {
  const sums = new Map<string, number>();
  for (const { labels: own, value } of seriesOf(samples, quantity, sameThing)) {
    const name = labels.flatMap((label) => own.get(label) ?? [])[0];
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + value);
  }
  return sums.size === 0 ? null : finite(Object.fromEntries(sums));
}

const finite = (sums: Record<string, number>): Record<string, number> | null =>
  Object.values(sums).every(Number.isFinite) ? sums : null;

export function sumOf(series: readonly Sample[]): number | null {
  if (series.length === 0) return null;
  const sum = series.reduce((whole, { value }) => whole + value, 0);
  return Number.isFinite(sum) ? sum : null;
}

/** Samples whose value cannot be what they say they are. A ratio of -1 is one that is switched off. */
export function implausible(samples: readonly Sample[], quantities: readonly Quantity[]): number {
  const kinds = new Map(quantities.flatMap(({ names, kind }) => names.map((name) => [name, kind])));
  const kindOf = ({ name }: Sample) => kinds.get(name) ?? kinds.get(name.replace(/_(?:sum|count|bucket)$/, ''));
  return samples.filter((sample) => {
    const kind = kindOf(sample);
    return kind !== undefined && !isPlausible(sample.value, kind) && !(kind === 'ratio' && sample.value === -1);
  }).length;
}

const isPlausible = (value: number, kind: Quantity['kind']): boolean =>
  value >= 0 && (kind !== 'ratio' || value <= MOST_RATIO);

const groupOf = ({ labels }: Sample): string => JSON.stringify(GROUP_LABELS.map((label) => labels.get(label) ?? null));

const seriesKey = ({ labels }: Sample, sameThing: readonly string[]): string =>
  JSON.stringify([...labels].filter(([name]) => !sameThing.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1)));
