import type { Scan } from '../exposition/scanner.js';
import { isPlausible } from './groups.js';
import { type EngineMetrics, type QuantityKind, quantitiesOf, seriesNames } from './names.js';

/** What was wrong with a scrape, beside what it says. */
export type ScrapeFaults = Omit<Scan, 'samples'> & {
  /** Samples whose value cannot be what they say they are, such as a negative count. */
  readonly outOfRange: number;
};

export function faultsOf(scan: Scan, metrics: EngineMetrics): ScrapeFaults {
  const { samples, ...faults } = scan;
  const kinds = kindsOf(metrics);
  let outOfRange = 0;
  for (const { series, value } of samples) {
    const kind = kinds.get(series.name);
    const isFault = kind !== undefined && !isPlausible(value, kind) && !(kind === 'hit-rate' && value === -1);
    outOfRange += Number(isFault);
  }
  return { ...faults, outOfRange };
}

const known = new WeakMap<EngineMetrics, ReadonlyMap<string, QuantityKind>>();

/** What the value of each wanted series is; those that only tell by their labels are not in it. */
function kindsOf(metrics: EngineMetrics): ReadonlyMap<string, QuantityKind> {
  const before = known.get(metrics);
  if (before) return before;
  const kinds = new Map(
    quantitiesOf(metrics).flatMap((quantity) => seriesNames(quantity).map((name) => [name, quantity.kind] as const)),
  );
  known.set(metrics, kinds);
  return kinds;
}
