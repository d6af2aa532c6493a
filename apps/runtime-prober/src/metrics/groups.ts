import type { Sample, Series } from '../exposition/series.js';
import type { Quantity, QuantityKind } from './names.js';

/** Samples of one engine of a server, by name. */
export type Rows = ReadonlyMap<string, readonly Sample[]>;

const MISSING = '\u0001';

/** Groups of series that were met before: the same series come with each scrape. */
const known = new WeakMap<Series, string>();

/** The model and the engine of a series; where a label is missing, that is a group of its own. */
function groupOf(series: Series, engineLabel: string | null): string {
  const before = known.get(series);
  if (before !== undefined) return before;
  const engine = engineLabel === null ? undefined : series.label(engineLabel);
  const group = `${series.label('model_name') ?? MISSING}\n${engine ?? MISSING}`;
  known.set(series, group);
  return group;
}

/**
 * Parts samples by model and engine: each may report under other names in a release of transition, and each may begin anew by
 * itself.
 * @param engineLabel always the same for the same series
 */
export function groupsOf(samples: readonly Sample[], engineLabel: string | null): ReadonlyMap<string, Rows> {
  const groups = new Map<string, Map<string, Sample[]>>();
  for (const sample of samples) {
    const key = groupOf(sample.series, engineLabel);
    let rows = groups.get(key);
    if (!rows) groups.set(key, (rows = new Map<string, Sample[]>()));
    const held = rows.get(sample.series.name);
    if (held) held.push(sample);
    else rows.set(sample.series.name, [sample]);
  }
  return groups;
}

/** Ratios are written a little too large now and then; what is larger is no ratio. */
const MOST_RATIO = 1.001;

export const isPlausible = (value: number, kind: QuantityKind): boolean =>
  value >= 0 && ((kind !== 'ratio' && kind !== 'hit-rate') || value <= MOST_RATIO);

const NONE: readonly Sample[] = [];

/**
 * The samples of a quantity that count in one group: those of its best name that is there, for a server in its transition
 * releases publishes one fact under two names.
 * @param sameThing labels that only tell who wrote a series (process or rank)
 */
export function samplesOf(rows: Rows, { names, kind }: Quantity, sameThing: readonly string[]): readonly Sample[] {
  for (const name of names) {
    const found = rows.has(name) ? namedSamples(rows, name, kind, sameThing) : NONE;
    if (found.length > 0) return found;
  }
  return NONE;
}

export function namedSamples(
  rows: Rows,
  name: string,
  kind: QuantityKind,
  sameThing: readonly string[],
): readonly Sample[] {
  const plausible = (rows.get(name) ?? []).filter(({ value }) => isPlausible(value, kind));
  return largestOfSame(plausible, sameThing);
}

/** Of series that differ only in who wrote them the largest. */
function largestOfSame(samples: readonly Sample[], sameThing: readonly string[]): readonly Sample[] {
  if (!samples.some(({ series }) => sameThing.some((label) => series.label(label) !== undefined))) return samples;
  const largest = new Map<string, Sample>();
  for (const sample of samples) {
    const key = keyWithout(sample.series.pairs, sameThing);
    const held = largest.get(key);
    if (!held || sample.value > held.value) largest.set(key, sample);
  }
  return [...largest.values()];
}

function keyWithout(pairs: readonly string[], labels: readonly string[]): string {
  const rest: string[] = [];
  for (let at = 0; at < pairs.length; at += 2) {
    const [name = '', value = ''] = [pairs[at], pairs[at + 1]];
    if (!labels.includes(name)) rest.push(`${name}=${JSON.stringify(value)}`);
  }
  return rest.sort().join();
}

/** Null of nothing, and where the sum is too large to be a number. */
export function sumOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return finite(values.reduce((sum, value) => sum + value, 0));
}

export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
