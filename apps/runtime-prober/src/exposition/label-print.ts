import type { Fingerprint } from './fingerprint.js';
import { Piece } from './piece.js';

/** With blanks around its equals sign a label is the same label. */
export function readLabelPrint(
  fingerprint: Fingerprint,
  piece: Piece,
  from: number,
  nameLength: number,
  valueFrom: number,
  to: number,
): void {
  if (valueFrom === from + nameLength + 2) {
    fingerprint.read(piece, from, to);
    return;
  }
  const { bytes } = piece;
  const close = Buffer.concat([bytes.subarray(from, from + nameLength), EQUALS_QUOTE, bytes.subarray(valueFrom, to)]);
  fingerprint.read(new Piece(close), 0, close.length);
}

const EQUALS_QUOTE = Buffer.from('="');
