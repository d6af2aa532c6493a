import type { Fingerprint } from './fingerprint.js';
import { Piece } from './piece.js';
import type { Series } from './series.js';

/** Beginnings of lines that are kept, all scrapes together: those of some dozens of kinds of servers. */
const MOST_HEADS = 20_000;
/** Bytes of one that is kept. */
const LONGEST_HEAD = 512;

/** What stands on a line before its value, as it was read once. */
export class Head {
  /** The head that followed this one the last time. */
  next: Head | undefined;

  constructor(
    /** As it stands on the line, with the first blank behind it. */
    private readonly text: Piece,
    /** Undefined where nobody wants it. */
    readonly series: Series | undefined,
    readonly low: number,
    readonly high: number,
  ) {}

  get length(): number {
    return this.text.bytes.length;
  }

  /** Whether a line at `from` begins so. */
  isAt(piece: Piece, from: number): boolean {
    return piece.isAlike(from, this.text, 0, this.text.bytes.length);
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
    if (this.heads.size >= MOST_HEADS) {
      // None of those that follow refers to one of these.
      this.heads.clear();
      this.before = newStart();
    }
    const head = new Head(new Piece(Uint8Array.from(piece.bytes.subarray(from, to))), series, low, high);
    this.heads.set(low, head);
    return head;
  }
}

function newStart(): Head {
  return new Head(new Piece(new Uint8Array(0)), undefined, 0, 0);
}
