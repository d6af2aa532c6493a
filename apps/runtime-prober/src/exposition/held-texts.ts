import { Piece } from './piece.js';

/** So much of a piece is held at once: texts that are kept stand together. */
const WINDOW_BYTES = 64 * 1024;

/** Texts that outlive the piece of a body that they came in, without an object for each: all share one numbering of their places. */
export class HeldTexts {
  readonly pieces: Piece[] = [];
  /** The place of the first byte of each piece. */
  readonly starts: number[] = [];
  private source: Piece | undefined;
  /** What of the source is held, and the place of its first byte. */
  private from = 0;
  private to = 0;
  private start = 0;

  /** Holds the text from `from` up to `to`, and more of what follows it. Places grow from text to text. */
  hold(source: Piece, from: number, to: number): number {
    if (source !== this.source || to > this.to) this.begin(source, from, to);
    return this.start + from - this.from;
  }

  private begin(source: Piece, from: number, to: number): void {
    this.start += this.to - this.from;
    this.source = source;
    this.from = source.stays ? 0 : from;
    this.to = source.stays ? source.bytes.length : Math.min(source.bytes.length, Math.max(to, from + WINDOW_BYTES));
    this.pieces.push(source.stays ? source : new Piece(Uint8Array.from(source.bytes.subarray(from, this.to))));
    this.starts.push(this.start);
  }
}

/** Finds held texts again, in the order in which they were held. */
export class HeldTextReader {
  piece = new Piece(new Uint8Array(0));
  /** Where in its piece the text stands. */
  offset = 0;
  private next = 0;
  private start = 0;

  constructor(private readonly texts: HeldTexts) {}

  /** @returns whether it stands in another piece than the one before */
  find(place: number): boolean {
    const { pieces, starts } = this.texts;
    const before = this.piece;
    for (; place >= (starts[this.next] ?? Number.POSITIVE_INFINITY); this.next += 1) {
      this.piece = pieces[this.next] ?? before;
      this.start = starts[this.next] ?? 0;
    }
    this.offset = place - this.start;
    return this.piece !== before;
  }
}
