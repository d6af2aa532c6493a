import { type Sample, parseSample } from './sample.js';

/** The samples of a scrape that somebody wants, and what was wrong with the rest of their lines. */
export type Scan = {
  readonly samples: readonly Sample[];
  /** Sample lines that were not dropped, wanted or not. */
  readonly series: number;
  readonly malformed: number;
  readonly nonFinite: number;
  readonly duplicates: number;
  /** The body ended inside a line: families may be missing, so what is there cannot be added up to a whole. */
  readonly truncated: boolean;
  /** More wanted series than are kept: the rest was dropped, so that nothing can be added up. */
  readonly tooManySeries: boolean;
};

/** Wanted series that are kept of one scrape: thousands of times what an engine writes. */
export const MOST_SERIES = 100_000;

/** Scans a whole body; see {@link MetricsScanner}. */
export function scanMetrics(body: string, wanted: ReadonlySet<string>, mostSeries = MOST_SERIES): Scan {
  const scanner = new MetricsScanner(wanted, mostSeries);
  scanner.push(body);
  return scanner.end();
}

/**
 * Scans a body in the Prometheus text or OpenMetrics format as it arrives, piece by piece, in time linear in its length. It never
 * throws; a bad line is dropped alone.
 */
export class MetricsScanner {
  private readonly byIdentity = new Map<string, Sample>();
  private series = 0;
  private malformed = 0;
  private nonFinite = 0;
  private duplicates = 0;
  private tooManySeries = false;
  private ended = false;
  /** Beginning of a line whose end has not arrived. */
  private rest = '';
  /** Head of the family that the last line was of, when nobody wants it: most lines are, and stand together. */
  private unwanted: string | undefined;

  /** @param wanted names of samples to read, as they stand on the wire */
  constructor(
    private readonly wanted: ReadonlySet<string>,
    private readonly mostSeries = MOST_SERIES,
  ) {}

  push(piece: string): void {
    if (this.ended) return;
    let start = 0;
    let end = piece.indexOf('\n');
    if (end >= 0 && this.rest !== '') {
      const line = this.rest + piece.slice(0, end);
      this.rest = '';
      this.ended = this.endsAt(line, 0, line.length);
      start = end + 1;
      end = piece.indexOf('\n', start);
    }
    while (end >= 0 && !this.ended) {
      this.ended = this.endsAt(piece, start, end);
      start = end + 1;
      end = piece.indexOf('\n', start);
    }
    this.rest = this.ended ? '' : this.rest + piece.slice(start);
  }

  end(): Scan {
    const { series, malformed, nonFinite, duplicates, tooManySeries } = this;
    // A body that is done may end without a line feed only after its end mark.
    const truncated = !this.ended && this.rest !== '' && this.rest !== '# EOF';
    const samples = [...this.byIdentity.values()];
    return { samples, series, malformed, nonFinite, duplicates, truncated, tooManySeries };
  }

  /** Takes in one line of a text, from `from` up to its line feed at `end`; true for the mark after which nothing counts. */
  private endsAt(text: string, from: number, end: number): boolean {
    // Passed over without being cut out of the text.
    if (this.unwanted !== undefined && text.startsWith(this.unwanted, from)) {
      this.series += 1;
      return false;
    }
    if (text[from] === '#' && text[from + 2] !== 'E') return false;
    const line = text.slice(from, text[end - 1] === '\r' && end > from ? end - 1 : end);
    if (SKIPPED.test(line)) return line === '# EOF';
    const sample = parseSample(line, this.wanted);
    this.unwanted = sample === 'unwanted' ? headOf(line) : undefined;
    if (sample === 'malformed') this.malformed += 1;
    else if (sample === 'non-finite') this.nonFinite += 1;
    else {
      this.series += 1;
      if (sample !== 'unwanted') this.keep(sample);
    }
    return false;
  }

  /** Of repeated series the newest by timestamp stays, of equals the first. */
  private keep(sample: Sample): void {
    const identity = identityOf(sample);
    const before = this.byIdentity.get(identity);
    if (before) this.duplicates += 1;
    else if (this.byIdentity.size >= this.mostSeries) {
      this.tooManySeries = true;
      return;
    }
    if (!before || newer(sample, before)) this.byIdentity.set(identity, sample);
  }
}

/** The name of a sample with the brace after it; undefined where no labels follow. */
function headOf(line: string): string | undefined {
  const brace = line.indexOf('{');
  return brace < 0 ? undefined : line.slice(0, brace + 1);
}

const SKIPPED = /^[ \t]*(?:#|$)/;

const identityOf = ({ name, labels }: Sample): string =>
  JSON.stringify([name, ...[...labels].sort(([a], [b]) => (a < b ? -1 : 1))]);

const newer = (a: Sample, b: Sample): boolean => a.timestamp !== null && a.timestamp > (b.timestamp ?? -Infinity);
