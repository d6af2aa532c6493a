import type { Family } from 'parse-prometheus-text-format';
import type { Scan } from '@davit/runtime-prober';

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

const keyOf = (name: string, labels: readonly (readonly [string, string])[]): string =>
  JSON.stringify([name, ...labels.toSorted(([one], [other]) => (one < other ? -1 : 1))]);

/**
 * What the other parser read, as series and their values; those that are no finite decimals are left out. So are histograms and
 * summaries: of their series it keeps neither labels nor those of a second engine.
 */
function flat(families: readonly Family[], wanted: ReadonlySet<string>): Map<string, number> {
  const samples = new Map<string, number>();
  for (const { name, metrics } of families) {
    for (const { labels = {}, value } of metrics) {
      const number = value !== undefined && DECIMAL.test(value) ? Number(value) : Number.NaN;
      if (wanted.has(name) && Number.isFinite(number)) samples.set(keyOf(name, Object.entries(labels)), number);
    }
  }
  return samples;
}

/** Wanted series on which both parsers agree, those that the other lost, and those on which they differ. */
export function agreement(
  families: readonly Family[],
  { samples }: Scan,
  wanted: ReadonlySet<string>,
): { readonly alike: number; readonly lost: number; readonly differ: readonly string[] } {
  const theirs = flat(families, wanted);
  const ours = new Map(
    [...samples].map(({ series: { name, pairs }, value }) => {
      const labels = Array.from(
        { length: pairs.length / 2 },
        (_, at) => [pairs[at * 2] ?? '', pairs[at * 2 + 1] ?? ''] as const,
      );
      return [keyOf(name, labels), value];
    }),
  );
  const differ = [...theirs].filter(([key, value]) => ours.get(key) !== value);
  return {
    alike: theirs.size - differ.length,
    lost: [...ours.keys()].filter((key) => !theirs.has(key)).length,
    differ: differ.map(([key, value]) => `${key}: ${value} there, ${ours.get(key)} here`),
  };
}
