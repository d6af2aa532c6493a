import type { Fingerprint } from './fingerprint.js';
import { Piece } from './piece.js';
import type { Series } from './series.js';

/** Beginnings of lines that are kept, all scrapes together: those of some dozens of kinds of servers, or of two as large as any may be. */
const MOST_HEADS = 40_000;
/** Bytes of one that is kept; settings that are written out in labels come to a thousand. */
const LONGEST_HEAD = 2_048;
/** Heads stand behind one another in pieces of so many bytes, as they do in a body: neighbours are read together. */
const TEXT_BYTES = 32 * 1024;
const MOST_TEXTS = 256;

/** What stands on a line before its value, as it was read once. */
export class Head {
  /** The head that followed this one the last time. */
  next: Head | undefined;

  constructor(
    /** Where it stands as it does on the line, with the first blank behind it. */
    private readonly text: Piece,
    private readonly from: number,
    readonly length: number,
    /** Undefined where nobody wants it. */
    readonly series: Series | undefined,
    readonly low: number,
    readonly high: number,
  ) {}

  /** Whether a line at `from` begins so. */
  isAt(piece: Piece, from: number): boolean {
    return piece.isAlike(from, this.text, this.from, this.length);
  }
}

/**
 * Heads of earlier lines and scrapes. A server writes the same series in the same order each time, and its replicas write them
 * alike, so that nearly every line begins as the one that followed its predecessor before: it is compared and not read again.
 * Nothing but time depends on what is kept.
 */
export class HeadMemory {
  private readonly heads = new Map<number, Head>();
  private before = newStart();
  private text = new Piece(new Uint8Array(0));
  private used = 0;
  private texts = 0;

  /** What comes before the first line of a body. */
  get start(): Head {
    return this.before;
  }

  find({ low, high }: Fingerprint, piece: Piece, from: number, length: number): Head | undefined {
    const head = this.heads.get(low);
    return head?.high === high && head.length === length && head.isAt(piece, from) ? head : undefined;
  }

  /** Keeps the head that reaches from `from` up to `to`; undefined where it is too long for that. */
  keep(
    { low, high }: Fingerprint,
    piece: Piece,
    from: number,
    to: number,
    series: Series | undefined,
  ): Head | undefined {
    if (to - from > LONGEST_HEAD) return undefined;
    if (this.heads.size >= MOST_HEADS || this.texts >= MOST_TEXTS) {
      // None of those that follow refers to one of these.
      this.heads.clear();
      this.texts = 0;
      this.before = newStart();
    }
    const head = new Head(this.textOf(piece, from, to), this.used, to - from, series, low, high);
    this.used += to - from;
    this.heads.set(low, head);
    return head;
  }

  /** Where the bytes stand from now on, from `used` on. */
  private textOf(piece: Piece, from: number, to: number): Piece {
    if (this.used + to - from > this.text.bytes.length) {
      this.text = new Piece(new Uint8Array(TEXT_BYTES));
      this.used = 0;
      this.texts += 1;
    }
    piece.bytes.copy(this.text.bytes, this.used, from, to);
    return this.text;
  }
}

function newStart(): Head {
  return new Head(new Piece(new Uint8Array(0)), 0, 0, undefined, 0, 0);
}
