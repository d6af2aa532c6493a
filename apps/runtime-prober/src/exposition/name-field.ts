import { IN_NAME, STARTS_NAME, isOf } from './characters.js';
import { Fingerprint } from './fingerprint.js';
import type { Piece } from './piece.js';
import type { WantedNames } from './wanted-names.js';

/** The name on a line; used again for every line. The series of a family stand together, so most names are compared only. */
export class NameField {
  readonly fingerprint = new Fingerprint();
  /** The name, if somebody wants it. */
  wanted: string | undefined;
  private from = 0;
  private length = 0;

  constructor(private readonly names: WantedNames) {}

  /** The bytes of earlier lines are no longer there. */
  forget(): void {
    this.length = 0;
  }

  /** The place after the name at `from`, or -1 where there is none. */
  read(piece: Piece, from: number): number {
    const { bytes } = piece;
    const { length } = this;
    const alike = length === 0 ? 0 : piece.alikeFor(from, piece, this.from, length);
    this.from = from;
    let at = from + alike;
    if (alike > 0 && alike === length && !isOf(bytes[at], IN_NAME)) return at;
    if (alike === 0 && !isOf(bytes[at], STARTS_NAME)) {
      this.length = 0;
      return -1;
    }
    while (isOf(bytes[at], IN_NAME)) at += 1;
    const { fingerprint } = this;
    fingerprint.read(piece, from, at);
    this.wanted = this.names.find(fingerprint);
    this.length = at - from;
    return at;
  }
}
