import { LINE_FEED } from './characters.js';
import { LineBuffer } from './line-buffer.js';
import { LineReader } from './line-reader.js';
import { Piece } from './piece.js';
import { Samples } from './samples.js';
import { NEW, SeriesTable, UNKEPT } from './series-table.js';
import { WantedNames } from './wanted-names.js';

/** What a body holds of what somebody wants, and what was wrong with the rest. */
export type Scan = {
  /** In the order of the body; of a series that is there again only the newest. None where the body is too large. */
  readonly samples: Samples;
  /** Distinct series with a finite value, wanted or not. */
  readonly series: number;
  /** Lines that are no sample and no comment. */
  readonly malformed: number;
  /** Samples whose value is no finite number. */
  readonly nonFinite: number;
  /** Samples of a series that was there before. */
  readonly duplicates: number;
  /** The body ended inside a line, which was left out: families may be missing behind it. */
  readonly truncated: boolean;
  /** The body has more bytes than are read; nothing of it is told. */
  readonly tooLarge: boolean;
  /** More series are wanted than are kept; those beyond were left out. */
  readonly tooManySeries: boolean;
};

export type ScanLimits = {
  /** Of the body, decompressed. */
  readonly maxBytes: number;
  /** Wanted series that are kept. As many again are remembered of those that nobody wants, to count repeats. */
  readonly maxSeries: number;
};

/** An engine writes 25 to 60 KB and some hundred series; a label of 22 MB has been seen (vllm issue 44691). */
export const SCAN_LIMITS: ScanLimits = { maxBytes: 8 * 1024 * 1024, maxSeries: 20_000 };

/**
 * Scans a body in the Prometheus text format or OpenMetrics as it arrives, in pieces of whatever length. It never throws; a bad
 * line is dropped alone. Time grows with the bytes and memory with the limits, whatever the bytes are.
 */
export class ExpositionScanner {
  /**
   * The one that ended last, without its samples. V8 drops the machine code of classes of which a collection of garbage finds no object,
   * and bodies come one by one: without this every collection would be followed by reads at a tenth of the speed.
   */
  static last: ExpositionScanner | undefined;
  private readonly line: LineReader;
  private readonly unfinished = new LineBuffer();
  private table: SeriesTable | undefined;
  private samples: Samples;
  private bytes = 0;
  private series = 0;
  private unkept = 0;
  private malformed = 0;
  private nonFinite = 0;
  private duplicates = 0;
  private ended = false;
  private tooLarge = false;
  private tooManySeries = false;

  constructor(
    private readonly wanted: WantedNames,
    private readonly limits: ScanLimits = SCAN_LIMITS,
  ) {
    this.line = new LineReader(wanted);
    this.samples = new Samples(wanted);
  }

  /**
   * Takes the next piece of the body; false once nothing that follows matters.
   * @param stays whether the bytes stay as they are for as long as samples are looked at
   */
  push(piece: Uint8Array, stays = false): boolean {
    if (this.ended) return false;
    this.bytes += piece.length;
    if (this.bytes > this.limits.maxBytes) this.tooLarge = this.ended = true;
    else this.readLines(new Piece(piece, stays));
    return !this.ended;
  }

  /** The body is over. */
  end(): Scan {
    const { samples, series, malformed, nonFinite, duplicates, tooLarge, tooManySeries } = this;
    const truncated = !this.ended && !this.isEndedByRest();
    this.samples = NOTHING;
    this.table?.giveBack();
    this.table = undefined;
    ExpositionScanner.last = this;
    if (tooLarge) return TOO_LARGE;
    return {
      samples,
      ...{ series, malformed, nonFinite, duplicates },
      truncated,
      tooLarge,
      tooManySeries,
    };
  }

  private readLines(piece: Piece): void {
    const { bytes } = piece;
    this.line.forget();
    const last = bytes.lastIndexOf(LINE_FEED);
    let from = 0;
    if (last >= 0 && this.unfinished.length > 0) {
      from = bytes.indexOf(LINE_FEED) + 1;
      this.finishLine(bytes.subarray(0, from - 1));
    }
    while (from <= last && !this.ended) {
      this.readLine(piece, from);
      from = this.line.lineFeed + 1;
    }
    if (!this.ended) this.unfinished.append(bytes.subarray(from));
  }

  private finishLine(rest: Uint8Array): void {
    this.unfinished.append(rest);
    const { piece } = this.unfinished.take();
    this.line.forget();
    this.readLine(piece, 0);
    this.line.forget();
  }

  /** OpenMetrics lets the line feed after the end mark go. */
  private isEndedByRest(): boolean {
    const { piece, length } = this.unfinished.take();
    this.line.forget();
    return length === 0 || this.line.read(piece, 0) === 'end';
  }

  private readLine(piece: Piece, from: number): void {
    switch (this.line.read(piece, from)) {
      case 'sample':
        this.keep(piece);
        return;
      case 'malformed':
        this.malformed += 1;
        return;
      case 'non-finite':
        this.nonFinite += 1;
        return;
      case 'end':
        this.ended = true;
        return;
      case 'skipped':
        return;
    }
  }

  /** Of a series that is there again the newest sample stays by its timestamp, of equals the first. */
  private keep(piece: Piece): void {
    const { line, samples, limits } = this;
    const table = (this.table ??= SeriesTable.take());
    const { isWanted, value, timestamp, fingerprint } = line;
    const isKept = isWanted && samples.length < limits.maxSeries;
    const isRemembered = isKept || this.unkept < limits.maxSeries;
    const before = isRemembered ? table.meet(fingerprint, isKept ? samples.length : UNKEPT) : table.find(fingerprint);
    if (before !== NEW) {
      this.duplicates += 1;
      samples.update(before, value, timestamp);
      return;
    }
    this.series += 1;
    if (isKept) line.addTo(samples, piece);
    else {
      if (isRemembered) this.unkept += 1;
      this.tooManySeries ||= isWanted;
    }
  }
}

const NOTHING = new Samples(new WantedNames([]));

const TOO_LARGE: Scan = {
  samples: NOTHING,
  series: 0,
  malformed: 0,
  nonFinite: 0,
  duplicates: 0,
  truncated: false,
  tooLarge: true,
  tooManySeries: false,
};

/** Scans a whole body, which has to stay as it is for as long as samples are looked at. */
export function scanExposition(body: Uint8Array, wanted: WantedNames, limits: ScanLimits = SCAN_LIMITS): Scan {
  const scanner = new ExpositionScanner(wanted, limits);
  scanner.push(body, true);
  return scanner.end();
}
