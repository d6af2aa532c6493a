import { LINE_FEED } from './characters.js';
import { Piece } from './piece.js';

/** The beginning of a line whose end has not arrived. It doubles as it grows, so that no byte is copied often. */
export class LineBuffer {
  length = 0;
  private bytes = new Uint8Array(0);

  append(piece: Uint8Array): void {
    if (piece.length === 0) return;
    const length = this.length + piece.length;
    if (length >= this.bytes.length) {
      // One byte more, for the line feed.
      const wider = new Uint8Array(Math.max(length + 1, this.bytes.length * 2, 256));
      wider.set(this.bytes.subarray(0, this.length));
      this.bytes = wider;
    }
    this.bytes.set(piece, this.length);
    this.length = length;
  }

  /** The line as it is, with a line feed behind it; the buffer is empty from now on. One that grew large is given back. */
  take(): { readonly piece: Piece; readonly length: number } {
    const { bytes, length } = this;
    if (length < bytes.length) bytes[length] = LINE_FEED;
    this.length = 0;
    if (bytes.length > MOST_KEPT) this.bytes = new Uint8Array(0);
    return { piece: new Piece(bytes.subarray(0, length + 1)), length };
  }
}

const MOST_KEPT = 64 * 1024;
