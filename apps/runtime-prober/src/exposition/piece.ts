import { BACKSLASH, CLASSES, ENDS_QUOTED_RUN, LINE_FEED, QUOTE } from './characters.js';

const { min } = Math;

/** Some bytes of a body. Loops over many of them take four at a time, which `words` reads at any place. */
export class Piece {
  readonly bytes: Buffer;
  readonly words: DataView;

  /** @param stays whether the bytes are still the same when somebody comes back to them */
  constructor(
    bytes: Uint8Array,
    readonly stays = false,
  ) {
    const { buffer, byteOffset, length } = bytes;
    this.bytes = Buffer.from(buffer, byteOffset, length);
    this.words = new DataView(buffer, byteOffset, length);
  }

  /** Whether the bytes here and at a place of another piece, or of this one, are alike for a length. */
  isAlike(here: number, other: Piece, there: number, length: number): boolean {
    return this.alikeFor(here, other, there, length) === length;
  }

  /** For how many bytes they are alike, up to a length; of the last few that differ some may be alike still. */
  alikeFor(here: number, other: Piece, there: number, length: number): number {
    const most = min(length, this.bytes.length - here, other.bytes.length - there);
    const { words } = this;
    const others = other.words;
    let index = 0;
    for (const last = most - 4; index <= last; index += 4)
      if (words.getInt32(here + index, true) !== others.getInt32(there + index, true)) return index;
    while (index < most && this.bytes[here + index] === other.bytes[there + index]) index += 1;
    return index;
  }

  /** The next quote, backslash or line feed at or after `from`; a line feed must be there. */
  endOfQuotedRun(from: number): number {
    const { bytes, words } = this;
    let at = from;
    for (const last = min(from + SHORT_RUN, bytes.length - 4); at <= last; at += 4)
      if (holdsEndOfRun(words.getInt32(at, true))) return endOfRun(bytes, at);
    return at - from < SHORT_RUN ? endOfRun(bytes, at) : this.endOfLongRun(at);
  }

  /** Searches a window at a time, so that finding one early costs no look at all that is behind it. */
  private endOfLongRun(from: number): number {
    for (let at = from; ; at += WINDOW) {
      let window = this.bytes.subarray(at, at + WINDOW);
      for (const end of [QUOTE, BACKSLASH, LINE_FEED]) {
        const found = window.indexOf(end);
        if (found >= 0) window = window.subarray(0, found);
      }
      if (window.length < WINDOW) return at + window.length;
    }
  }
}

const SHORT_RUN = 128;
const WINDOW = 8_192;

function endOfRun(bytes: Uint8Array, from: number): number {
  let at = from;
  while (((CLASSES[bytes[at] ?? 0] ?? 0) & ENDS_QUOTED_RUN) === 0) at += 1;
  return at;
}

const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;
const LINE_FEEDS = 0x0a0a0a0a;

/** A byte that is looked for is nothing after the exclusive or, and only then does taking one from it reach its highest bit. */
function holdsEndOfRun(word: number): boolean {
  const quotes = word ^ QUOTES;
  const backslashes = word ^ BACKSLASHES;
  const lineFeeds = word ^ LINE_FEEDS;
  const found =
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes) |
    ((lineFeeds - 0x01010101) & ~lineFeeds);
  return (found & 0x80808080) !== 0;
}
