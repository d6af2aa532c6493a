/**
 * Values of a label: all there are, or `open` where they are names of things. Open labels stay bounded because the things do:
 * controllers of a service, tenants, replicas that exist.
 */
export type LabelValues = readonly string[] | 'open';

/**
 * A metric as code, documentation and tests know it. Names follow Prometheus: `davit_<noun>_<base unit>`, counters end in
 * `_total` (https://prometheus.io/docs/practices/naming/, read November 2026).
 */
export interface MetricDefinition<Label extends string = string> {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: Readonly<Record<Label, LabelValues>>;
  /** Of a histogram: upper bounds, in its unit. */
  readonly buckets?: readonly number[];
}

/** One series of a gauge at the moment it is asked for. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The one series of a gauge without labels; none where the value is not known. */
export const single = (value: number | undefined): readonly Sample[] =>
  value === undefined ? [] : [{ labels: {}, value }];

/** One series for each value of one label. */
export const each = (label: string, values: Readonly<Record<string, number | undefined>>): readonly Sample[] =>
  Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [{ labels: { [label]: key }, value }]));

/** Every combination of labels whose values are all known beforehand; none as soon as one label is open. */
export function knownSeries<Label extends string>({
  labels,
}: MetricDefinition<Label>): readonly Readonly<Record<Label, string>>[] {
  const known = Object.entries<LabelValues>(labels).reduce<readonly Readonly<Record<string, string>>[]>(
    (series, [label, values]) =>
      values === 'open' ? [] : series.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
  return known;
}
