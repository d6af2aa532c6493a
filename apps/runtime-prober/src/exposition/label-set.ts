import {
  BACKSLASH,
  CLOSE_BRACE,
  COMMA,
  EQUALS,
  IN_LABEL,
  LOWER_N,
  QUOTE,
  STARTS_LABEL,
  afterBlanks,
  isOf,
} from './characters.js';
import { Fingerprint } from './fingerprint.js';
import { Piece } from './piece.js';
import { textOf } from './text.js';

/** What is held of a label: where it begins, and from there on the length of its name, its value and all of it. */
const FROM = 0;
const NAME_LENGTH = 1;
const VALUE_FROM = 2;
/** With the closing quote. */
const LENGTH = 3;
const HAS_ESCAPES = 4;
const LOW = 5;
const HIGH = 6;
const FIELDS = 7;
/** Up to here each new label is compared with all before it. */
const FEW = 12;

/**
 * The labels of one line, as places in its bytes; used again for every line. Most labels of a line are those of the line before
 * it, to the byte: such a label is compared and not read again.
 *
 * A line ends in a line feed, where all reading stops.
 */
export class LabelSet {
  count = 0;
  /** Sums of the fingerprints of the labels. */
  low = 0;
  high = 0;
  private fields = new Int32Array(FIELDS * FEW);
  private readonly texts: (string | undefined)[] = [];
  private readonly fingerprint = new Fingerprint();
  /** How many labels of the line before stand in the bytes. */
  private known = 0;
  /** So far the line has the names of the line before, among which none is repeated. */
  private hasKnownNames = false;
  private many: Set<string> | undefined;

  /** There are none. */
  clear(): void {
    this.count = this.low = this.high = 0;
  }

  /** The bytes of earlier lines are no longer there. */
  forget(): void {
    this.known = 0;
  }

  /**
   * Reads labels up to the closing brace.
   * @param from the place after the opening brace
   * @returns the place after the closing brace, or -1 where the labels are malformed
   */
  read(piece: Piece, from: number): number {
    const { bytes } = piece;
    this.clear();
    this.many = undefined;
    this.hasKnownNames = true;
    let at = afterBlanks(bytes, from);
    while (bytes[at] !== CLOSE_BRACE) {
      const same = this.endOfSame(piece, at);
      at = same < 0 ? this.readLabel(piece, at) : same;
      if (at < 0) {
        this.known = 0;
        return -1;
      }
    }
    this.known = this.count;
    return at + 1;
  }

  /** Names and values by turns, in the order of the line. */
  pairs(bytes: Buffer): readonly string[] {
    // Of the length it needs: one that grows keeps room for more, which counts where series do.
    const pairs = new Array<string>(this.count * 2);
    for (let label = 0; label < this.count; label++) {
      pairs[label * 2] = this.nameOf(bytes, label);
      pairs[label * 2 + 1] = this.valueOf(bytes, label);
    }
    return pairs;
  }

  private nameOf(bytes: Buffer, label: number): string {
    const known = this.texts[label * 2];
    if (known !== undefined) return known;
    const from = this.field(label, FROM);
    return (this.texts[label * 2] = textOf(bytes, from, from + this.field(label, NAME_LENGTH)));
  }

  private valueOf(bytes: Buffer, label: number): string {
    const known = this.texts[label * 2 + 1];
    if (known !== undefined) return known;
    const from = this.field(label, FROM);
    const written = textOf(bytes, from + this.field(label, VALUE_FROM), from + this.field(label, LENGTH) - 1);
    return (this.texts[label * 2 + 1] = this.field(label, HAS_ESCAPES) === 1 ? unescaped(written) : written);
  }

  private field(label: number, field: number): number {
    return this.fields[label * FIELDS + field] ?? 0;
  }

  /** The place where the next label begins, if the label at `from` is that in the same place of the line before; else -1. */
  private endOfSame(piece: Piece, from: number): number {
    const { fields, count } = this;
    // Whose names are not those of the line before may repeat one of them.
    if (count >= this.known || !this.hasKnownNames) return -1;
    const label = count * FIELDS;
    const length = fields[label + LENGTH] ?? 0;
    if (!piece.isAlike(from, piece, fields[label + FROM] ?? 0, length)) return -1;
    fields[label + FROM] = from;
    this.count = count + 1;
    this.low = (this.low + (fields[label + LOW] ?? 0)) | 0;
    this.high = (this.high + (fields[label + HIGH] ?? 0)) | 0;
    return afterComma(piece.bytes, from + length);
  }

  /** The place where the label after that at `from` begins, or the closing brace; -1 where it is malformed. */
  private readLabel(piece: Piece, from: number): number {
    const { bytes } = piece;
    let at = from;
    if (!isOf(bytes[at], STARTS_LABEL)) return -1;
    do at += 1;
    while (isOf(bytes[at], IN_LABEL));
    const nameLength = at - from;
    if (bytes[at] !== EQUALS || bytes[at + 1] !== QUOTE) {
      at = afterBlanks(bytes, at);
      if (bytes[at] !== EQUALS) return -1;
      at = afterBlanks(bytes, at + 1);
      if (bytes[at] !== QUOTE) return -1;
      at -= 1;
    }
    const valueFrom = at + 2;
    let hasEscapes = 0;
    for (at = piece.endOfQuotedRun(valueFrom); bytes[at] !== QUOTE; at = piece.endOfQuotedRun(at + 2)) {
      if (bytes[at] !== BACKSLASH || !isEscaped(bytes[at + 1])) return -1;
      hasEscapes = 1;
    }
    if (!this.isKnownName(piece, from, nameLength) && this.isRepeated(piece, from, nameLength)) return -1;
    this.add(piece, from, nameLength, valueFrom, at + 1, hasEscapes);
    return afterComma(bytes, at + 1);
  }

  private add(piece: Piece, from: number, nameLength: number, valueFrom: number, to: number, hasEscapes: number): void {
    const { fingerprint, count } = this;
    readLabelPrint(fingerprint, piece, from, nameLength, valueFrom, to);
    const label = count * FIELDS;
    if (label === this.fields.length) this.widen();
    const { fields } = this;
    fields[label + FROM] = from;
    fields[label + NAME_LENGTH] = nameLength;
    fields[label + VALUE_FROM] = valueFrom - from;
    fields[label + LENGTH] = to - from;
    fields[label + HAS_ESCAPES] = hasEscapes;
    fields[label + LOW] = fingerprint.low;
    fields[label + HIGH] = fingerprint.high;
    this.texts[count * 2] = undefined;
    this.texts[count * 2 + 1] = undefined;
    this.count = count + 1;
    this.low = (this.low + fingerprint.low) | 0;
    this.high = (this.high + fingerprint.high) | 0;
  }

  private widen(): void {
    const wider = new Int32Array(this.fields.length * 2);
    wider.set(this.fields);
    this.fields = wider;
  }

  private isKnownName(piece: Piece, from: number, length: number): boolean {
    this.hasKnownNames &&=
      this.count < this.known &&
      this.field(this.count, NAME_LENGTH) === length &&
      piece.isAlike(from, piece, this.field(this.count, FROM), length);
    return this.hasKnownNames;
  }

  /** Whether the name was there before in this line. */
  private isRepeated(piece: Piece, from: number, length: number): boolean {
    if (this.count >= FEW) return this.isAmongMany(piece.bytes, from, length);
    for (let label = 0; label < this.count; label++) {
      if (this.field(label, NAME_LENGTH) === length && piece.isAlike(this.field(label, FROM), piece, from, length))
        return true;
    }
    return false;
  }

  /** Comparing each with each would take the square of their number. */
  private isAmongMany(bytes: Buffer, from: number, length: number): boolean {
    this.many ??= new Set(Array.from({ length: this.count }, (_, label) => this.nameOf(bytes, label)));
    return this.many.size === this.many.add(textOf(bytes, from, from + length)).size;
  }
}

/** The place after the comma that ends a label, or that of the closing brace; -1 where neither follows. */
function afterComma(bytes: Uint8Array, from: number): number {
  const next = bytes[from];
  if (next === CLOSE_BRACE) return from;
  const at = next === COMMA ? from : afterBlanks(bytes, from);
  if (bytes[at] === COMMA) return afterBlanks(bytes, at + 1);
  return bytes[at] === CLOSE_BRACE ? at : -1;
}

const isEscaped = (byte: number | undefined): boolean => byte === BACKSLASH || byte === QUOTE || byte === LOWER_N;

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));

/** With blanks around its equals sign a label is the same label. */
function readLabelPrint(
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
