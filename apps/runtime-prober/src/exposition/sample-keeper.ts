import type { Piece } from './piece.js';
import { SampleLine } from './sample-line.js';
import { Samples } from './samples.js';
import { NEW, SeriesTable, UNKEPT } from './series-table.js';
import { WantedNames } from './wanted-names.js';

/** Samples that are looked up together once their series are many, so that one need not wait for the memory that another asks for. */
const TOGETHER = 64;

/** Keeps the samples of a body: one of each series, and of no more series than the limit. */
export class SampleKeeper {
  /** Distinct series, wanted or not. */
  series = 0;
  duplicates = 0;
  /** More are wanted than are kept. */
  tooManySeries = false;
  /** Where the next sample is put. */
  next = new SampleLine();
  private readonly lines = [this.next];
  /** How many of the lines hold samples that were not looked up yet. */
  private held = 0;
  private samples: Samples;
  private table: SeriesTable | undefined;
  private unkept = 0;
  /** Bytes of the body in the pieces before. */
  private bytesBefore = 0;

  /** @param maxSeries wanted ones that are kept; as many again are remembered of those that nobody wants */
  constructor(
    wanted: WantedNames,
    private readonly maxSeries: number,
  ) {
    this.samples = new Samples(wanted);
  }

  /** Takes what was read into `next` from a line that ends at `to`. */
  take(piece: Piece, to: number): void {
    const table = (this.table ??= SeriesTable.take());
    if (!table.isLarge) {
      this.keep(table, this.next, piece, to);
      return;
    }
    this.held += 1;
    if (this.held === TOGETHER) this.keepHeld(piece, to);
    else this.next = this.lines[this.held] ??= new SampleLine();
  }

  /** Keeps all that was taken of a piece that was read up to `to`, and whose bytes may go away. */
  keepHeld(piece: Piece, to: number): void {
    const { table, lines, held } = this;
    if (!table || held === 0) return;
    table.lookAhead(lines, held);
    for (let index = 0; index < held; index++) this.keep(table, lines[index] ?? this.next, piece, to);
    this.held = 0;
    this.next = lines[0] ?? this.next;
  }

  /** Another piece follows. */
  endPiece({ bytes }: Piece): void {
    this.bytesBefore += bytes.length;
  }

  /** The body is over. Its samples are no longer held here. */
  end(): Samples {
    const { samples } = this;
    this.samples = NOTHING;
    this.table?.giveBack();
    this.table = undefined;
    return samples;
  }

  /** Of a series that is there again the newest sample stays by its timestamp, of equals the first. */
  private keep(table: SeriesTable, sample: SampleLine, piece: Piece, to: number): void {
    if (table.isFull) this.makeRoom(table, piece, to);
    const { samples, maxSeries } = this;
    const { isWanted } = sample;
    const isKept = isWanted && samples.length < maxSeries;
    const isRemembered = isKept || this.unkept < maxSeries;
    const before = isRemembered ? table.meet(sample, isKept ? samples.length : UNKEPT) : table.find(sample);
    if (before !== NEW) {
      this.duplicates += 1;
      samples.update(before, sample.value, sample.timestamp);
      return;
    }
    this.series += 1;
    if (isKept) sample.addTo(samples, piece);
    else {
      if (isRemembered) this.unkept += 1;
      this.tooManySeries ||= isWanted;
    }
  }

  /** What has come and was not read yet is likely to hold as many series to the byte as what was read: to grow once is cheaper. */
  private makeRoom(table: SeriesTable, { bytes }: Piece, to: number): void {
    const { series, bytesBefore, maxSeries } = this;
    const expected = Math.ceil((series * (bytesBefore + bytes.length)) / (bytesBefore + to));
    table.widen(Math.min(expected, 2 * maxSeries));
    this.samples.widen(Math.min(expected, maxSeries));
  }
}

/** What no body has. */
export const NOTHING = new Samples(new WantedNames([]));
