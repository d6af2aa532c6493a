/** What a scrape showed: the type of each metric, and its series with their labels in the order of their names. */
export interface Exposition {
  readonly types: ReadonlyMap<string, string>;
  readonly series: ReadonlyMap<string, number>;
}

/** Reads Prometheus text as our own services write it: label values here hold neither quotes nor braces. */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) types.set(name, type);
    const [, metric, labels = '', value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (metric !== undefined) series.set(seriesOf(metric, labelsIn(labels)), Number(value));
  }
  return { types, series };
}

const labelsIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]));

/** The name under which `series` holds one. */
export function seriesOf(metric: string, labels: Readonly<Record<string, string>>): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${metric}{${sorted.map(([label, value]) => `${label}="${value}"`).join(',')}}`;
}
