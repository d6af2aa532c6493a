/** A histogram whose `+Inf` bucket always equals its count. */
export class Histogram {
  private readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.count += 1;
    this.sum += value;
    this.bounds.forEach((bound, index) => {
      if (value <= bound) this.counts[index] = (this.counts[index] ?? 0) + 1;
    });
  }

  /** Cumulative counts with their upper bounds, `+Inf` last. */
  buckets(): readonly (readonly [bound: number, count: number])[] {
    return [
      ...this.bounds.map((bound, index) => [bound, this.counts[index] ?? 0] as const),
      [Number.POSITIVE_INFINITY, this.count],
    ];
  }
}

type Labels = Readonly<Record<string, string>>;

/** Writes the classic text exposition format as Python's client does. */
export class Exposition {
  private readonly lines: string[] = [];

  constructor(
    private readonly labels: Labels,
    private readonly createdSeconds: number,
  ) {}

  gauge(name: string, help: string, rows: readonly (readonly [Labels, number])[]): void {
    this.head(name, help, 'gauge');
    for (const [labels, value] of rows) this.row(name, labels, value);
  }

  counter(name: string, help: string, rows: readonly (readonly [Labels, number])[]): void {
    this.head(`${name}_total`, help, 'counter');
    for (const [labels, value] of rows) this.row(`${name}_total`, labels, value);
    this.created(
      name,
      help,
      rows.map(([labels]) => labels),
    );
  }

  histogram(name: string, help: string, histogram: Histogram): void {
    this.head(name, help, 'histogram');
    for (const [bound, count] of histogram.buckets()) this.row(`${name}_bucket`, { le: number(bound) }, count);
    this.row(`${name}_count`, {}, histogram.count);
    this.row(`${name}_sum`, {}, histogram.sum);
    this.created(name, help, [{}]);
  }

  /** A family whose rows have exactly these labels. */
  bare(name: string, help: string, type: string, rows: readonly (readonly [Labels, number])[]): void {
    if (rows.length > 0) this.head(name, help, type);
    for (const [labels, value] of rows) this.lines.push(`${name}${labelText(labels)} ${number(value)}`);
  }

  toString(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  private created(name: string, help: string, rows: readonly Labels[]): void {
    this.head(`${name}_created`, help, 'gauge');
    for (const labels of rows) this.row(`${name}_created`, labels, this.createdSeconds);
  }

  private head(name: string, help: string, type: string): void {
    this.lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  }

  private row(name: string, labels: Labels, value: number): void {
    this.lines.push(`${name}${labelText({ ...this.labels, ...labels })} ${number(value)}`);
  }
}

const escaped = (value: string): string => (/[\\\n"]/.test(value) ? escapedText(value) : value);

const escapedText = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');

const labelText = (labels: Labels): string =>
  `{${Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}}`;

/** `8.0`, `1.234567e+06`, `+Inf`: numbers as the Python client prints them. */
export function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (Number.isNaN(value)) return 'NaN';
  const plain = Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : String(value);
  const dot = plain.indexOf('.');
  if (value <= 0 || dot <= 6 || plain.includes('e')) return plain;
  const mantissa = `${plain.charAt(0)}.${plain.slice(1, dot)}${plain.slice(dot + 1)}`.replace(/[0.]+$/, '');
  return `${mantissa}e+0${dot - 1}`;
}
