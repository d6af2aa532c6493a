import { type Histogram } from './histogram.js';
import { pythonNumber, rustNumber, streamNumber } from './numbers.js';

export type Labels = Readonly<Record<string, string>>;
export type Rows<T> = readonly (readonly [Labels, T])[];

/** How one metrics library writes the text format. */
export interface Dialect {
  readonly contentType: string;
  readonly number: (value: number) => string;
  /** How a sum of seconds is written, where it differs. */
  readonly sum?: (value: number) => string;
  /** Sorted by name, or as declared with the bound of a bucket first or last. */
  readonly labels: 'sorted' | 'bound-first' | 'bound-last';
  /** Whether counters end in `_total`. */
  readonly totals: boolean;
  /** Whether `_created` series accompany counters and histograms. */
  readonly created: boolean;
  readonly openMetrics: boolean;
  /** Whether colons in the names of samples, though not in those of families, become underscores. */
  readonly escapesColons?: boolean;
}

/** Python's client; its releases before 0.23 name another version of the format for the same text. */
export const python = (release: {
  readonly created: boolean;
  readonly padded: boolean;
  readonly format: string;
}): Dialect => ({
  contentType: `text/plain; version=${release.format}; charset=utf-8`,
  number: pythonNumber(release.padded),
  labels: 'sorted',
  totals: true,
  created: release.created,
  openMetrics: false,
});

/** Python's client when OpenMetrics is asked for (prometheus/client_python#1177). */
export const pythonOpenMetrics = (padded: boolean): Dialect => ({
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  number: pythonNumber(padded),
  labels: 'sorted',
  totals: true,
  created: true,
  openMetrics: true,
  escapesColons: true,
});

export const OPEN_METRICS: Dialect = {
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  number: rustNumber,
  sum: (value) => (Number.isInteger(value) ? `${value}.0` : rustNumber(value)),
  labels: 'bound-first',
  totals: true,
  created: false,
  openMetrics: true,
};

/** The exporter of Rust's `metrics` crates, as TGI has it. */
export const RUST_EXPORTER: Dialect = {
  contentType: 'text/plain; charset=utf-8',
  number: rustNumber,
  labels: 'bound-last',
  totals: false,
  created: false,
  openMetrics: false,
};

export const CPP_STREAM: Dialect = {
  contentType: 'text/plain; version=0.0.4',
  number: streamNumber,
  labels: 'bound-last',
  totals: false,
  created: false,
  openMetrics: false,
};

/** Writes families of metrics in one dialect. A family without rows is left out. */
export class Exposition {
  private readonly lines: string[] = [];

  constructor(
    readonly dialect: Dialect,
    private readonly createdSeconds: number,
  ) {}

  gauge(name: string, help: string, rows: Rows<number>): void {
    this.rows(name, help, 'gauge', rows);
  }

  /** A family under exactly this name, without anything beside it. */
  rows(name: string, help: string, type: string, rows: Rows<number>): void {
    this.head(name, help, type, rows);
    for (const [labels, value] of rows) this.row(name, labels, value);
  }

  /** `name` is without `_total`. */
  counter(name: string, help: string, rows: Rows<number>): void {
    const wire = this.dialect.totals ? `${name}_total` : name;
    this.head(this.dialect.openMetrics ? name : wire, help, 'counter', rows);
    for (const [labels, value] of rows) this.row(wire, labels, value);
    this.created(name, help, rows);
  }

  histogram(name: string, help: string, rows: Rows<Histogram>): void {
    this.head(name, help, 'histogram', rows);
    for (const [labels, histogram] of rows) {
      const { number, sum = number } = this.dialect;
      const buckets = (): void => {
        for (const [bound, count] of histogram.buckets())
          this.row(`${name}_bucket`, this.withBound(labels, bound), count);
      };
      const total = (): unknown =>
        this.lines.push(`${this.sampleName(name)}_sum${this.labelText(labels)} ${sum(histogram.sum)}`);
      const count = (): void => this.row(`${name}_count`, labels, histogram.count);
      for (const write of this.dialect.labels === 'bound-first' ? [total, count, buckets] : [buckets, count, total])
        write();
    }
    this.created(name, help, rows);
  }

  toString(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  private created(name: string, help: string, rows: Rows<unknown>): void {
    if (!this.dialect.created) return;
    // In OpenMetrics they are samples of the family itself.
    if (!this.dialect.openMetrics) this.head(`${name}_created`, help, 'gauge', rows);
    for (const [labels] of rows) this.row(`${name}_created`, labels, this.createdSeconds);
  }

  private head(name: string, help: string, type: string, rows: Rows<unknown>): void {
    if (rows.length > 0) this.lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  }

  private row(name: string, labels: Labels, value: number): void {
    this.lines.push(`${this.sampleName(name)}${this.labelText(labels)} ${this.dialect.number(value)}`);
  }

  private sampleName(name: string): string {
    return this.dialect.escapesColons ? name.replaceAll(':', '_') : name;
  }

  private withBound(labels: Labels, bound: number): Labels {
    const le = this.dialect.number(bound);
    return this.dialect.labels === 'bound-first' ? { le, ...labels } : { ...labels, le };
  }

  private labelText(labels: Labels): string {
    const pairs = Object.entries(labels);
    if (pairs.length === 0) return '';
    if (this.dialect.labels === 'sorted') pairs.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${pairs.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`;
  }
}

const escaped = (value: string): string => (/[\\\n"]/.test(value) ? escapedText(value) : value);

const escapedText = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
