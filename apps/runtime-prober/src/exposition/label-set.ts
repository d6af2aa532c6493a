import { BACKSLASH, CLOSE_BRACE, QUOTE, afterBlanks } from './characters.js';
import { Fingerprint } from './fingerprint.js';
import { readLabelPrint } from './label-print.js';
import { afterComma, beginOfValue, isEscaped, lengthOfName, unescaped } from './label-syntax.js';
import type { Piece } from './piece.js';
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
const NOWHERE = -1;
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
  /** How many labels of the line before stand in the bytes, the place of the first byte of them and that of the closing brace. */
  private known = 0;
  private from = 0;
  private to = 0;
  /** How far behind its counterpart in the line before a byte stands, and up to which place both are alike. */
  private shift = 0;
  private alikeTo = 0;
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
   * @param alikeTo the place up to which they are alike to the labels before
   * @returns the place after the closing brace, or -1 where the labels are malformed
   */
  read(piece: Piece, from: number, alikeTo: number): number {
    const { bytes } = piece;
    this.clear();
    this.many = undefined;
    this.hasKnownNames = true;
    this.shift = from - this.from;
    this.alikeTo = alikeTo;
    this.from = from;
    let at = this.endOfSame(bytes, afterBlanks(bytes, from));
    while (at >= 0 && bytes[at] !== CLOSE_BRACE) {
      at = this.readLabel(piece, at);
      if (at < 0 || !this.isNextKnown) continue;
      this.align(piece, at, this.field(this.count, FROM));
      at = this.endOfSame(bytes, at);
    }
    this.known = at < 0 ? 0 : this.count;
    this.to = at;
    return at < 0 ? -1 : at + 1;
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

  /** So far the names are those of the line before, which has another label at this place. */
  private get isNextKnown(): boolean {
    return this.hasKnownNames && this.count < this.known;
  }

  /** From here on the line goes on as the one before does from there, for as long as they are alike. */
  private align(piece: Piece, here: number, there: number): void {
    this.shift = here - there;
    this.alikeTo = here + piece.alikeFor(here, piece, there, this.to - there);
  }

  /** Takes the labels from `from` on that are those of the line before, and returns the place where the one after them begins. */
  private endOfSame(bytes: Buffer, from: number): number {
    const { fields, known, shift, alikeTo } = this;
    let to = NOWHERE;
    for (; this.count < known; this.count += 1) {
      const label = this.count * FIELDS;
      const begin = (fields[label + FROM] ?? 0) + shift;
      const end = begin + (fields[label + LENGTH] ?? 0);
      if (end > alikeTo) break;
      fields[label + FROM] = begin;
      this.low = (this.low + (fields[label + LOW] ?? 0)) | 0;
      this.high = (this.high + (fields[label + HIGH] ?? 0)) | 0;
      to = end;
    }
    return to === NOWHERE ? from : afterComma(bytes, to);
  }

  /** The place where the label after that at `from` begins, or the closing brace; -1 where it is malformed. */
  private readLabel(piece: Piece, from: number): number {
    const { bytes } = piece;
    const isKnown = this.isKnownUpToValue(from);
    const nameLength = isKnown ? this.field(this.count, NAME_LENGTH) : lengthOfName(bytes, from);
    const valueFrom = isKnown ? from + this.field(this.count, VALUE_FROM) : beginOfValue(bytes, from + nameLength);
    if (nameLength === 0 || valueFrom < 0) return -1;
    let at = piece.endOfQuotedRun(valueFrom);
    let hasEscapes = 0;
    for (; bytes[at] !== QUOTE; at = piece.endOfQuotedRun(at + 2)) {
      if (bytes[at] !== BACKSLASH || !isEscaped(bytes[at + 1])) return -1;
      hasEscapes = 1;
    }
    if (!isKnown && !this.isKnownName(piece, from, nameLength) && this.isRepeated(piece, from, nameLength)) return -1;
    this.add(piece, from, nameLength, valueFrom, at + 1, hasEscapes);
    return afterComma(bytes, at + 1);
  }

  /** Whether the label is alike to that in the same place of the line before, its opening quote among it. */
  private isKnownUpToValue(from: number): boolean {
    const { count } = this;
    return (
      this.isNextKnown &&
      from === this.field(count, FROM) + this.shift &&
      from + this.field(count, VALUE_FROM) <= this.alikeTo
    );
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
