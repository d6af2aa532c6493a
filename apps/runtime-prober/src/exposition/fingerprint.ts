import type { Piece } from './piece.js';

const { imul } = Math;

/**
 * Sixty-four bits of a part of a series: its name, or one of its labels. Those of all its parts, added up in whatever order,
 * stand for the series. Two series of one scrape share them by chance once in thousands of millions of scrapes.
 */
export class Fingerprint {
  low = 0;
  high = 0;

  /** Takes the part from `from` up to `to`. */
  read({ bytes, words }: Piece, from: number, to: number): void {
    const length = to - from;
    let one = length ^ 0x2f0b4c47;
    let other = length ^ 0x5bd1e995;
    let at = from;
    for (const last = to - 4; at <= last; at += 4) {
      const word = words.getInt32(at, true);
      one = imul(one ^ word, 0x01000193);
      one ^= one >>> 15;
      other = imul(other + word, 0x2c1b3c6d);
      other = (other << 13) | (other >>> 19);
    }
    let word = 0;
    for (; at < to; at += 1) word = (word << 8) | (bytes[at] ?? 0);
    this.low = mixed(imul(one ^ word, 0x01000193));
    this.high = mixed(imul(other + word, 0x2c1b3c6d));
  }
}

/** The finaliser of MurmurHash3: each bit of the input moves half of the output. */
function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = imul(bits, 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
