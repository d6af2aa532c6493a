import { CARRIAGE_RETURN, HASH, IS_BLANK, LINE_FEED, OPEN_BRACE, afterBlanks, isOf } from './characters.js';
import { LabelSet } from './label-set.js';
import { NameField } from './name-field.js';
import { NumberField } from './number-field.js';
import type { Piece } from './piece.js';
import { Series } from './series.js';
import type { WantedNames } from './wanted-names.js';

/** What a line is. After an `end` nothing counts any more; `skipped` are blank lines and comments. */
export type LineKind = 'sample' | 'malformed' | 'non-finite' | 'skipped' | 'end';

/** No place in any piece. */
export const NOWHERE = -1;

const END_MARK = Array.from('# EOF', (character) => character.charCodeAt(0));

/**
 * The grammar of one line of the Prometheus text format and of OpenMetrics:
 * `name` blank* (`{` labels `}`)? blank* `value` (blank+ `timestamp`)? (` # ` exemplar)?
 *
 * What was read last stands in the members; they are used again for every line, so that judging one allocates nothing. Each byte
 * is looked at a fixed number of times, whatever it is.
 */
export class Line {
  readonly name: NameField;
  readonly labels = new LabelSet();
  value = 0;
  /** In the unit the server chose; null where the line has none, which is older than any. */
  timestamp: number | null = null;
  private readonly number = new NumberField();
  private exemplarLabels: LabelSet | undefined;

  constructor(names: WantedNames) {
    this.name = new NameField(names);
  }

  /** The bytes of earlier lines are no longer there. */
  forget(): void {
    this.name.forget();
    this.labels.forget();
  }

  /**
   * Reads name and labels.
   * @returns the place after them, or -1 where they are malformed
   */
  readHead(piece: Piece, from: number): number {
    const { bytes } = piece;
    const nameTo = this.name.read(piece, from);
    if (nameTo < 0) return -1;
    const brace = afterBlanks(bytes, nameTo);
    if (bytes[brace] === OPEN_BRACE) return this.labels.read(piece, brace + 1);
    this.labels.clear();
    return nameTo;
  }

  /** The series whose head was read last; undefined where nobody wants it. */
  newSeries(bytes: Buffer): Series | undefined {
    const { name, labels } = this;
    return name.wanted === undefined ? undefined : new Series(name.wanted, labels.pairs(bytes));
  }

  /**
   * Reads what follows the head, from the value on up to `end`.
   * @param isWanted false where nobody asks for the value, which then need not be worked out
   */
  readTail(piece: Piece, from: number, end: number, isWanted: boolean): 'sample' | 'malformed' | 'non-finite' {
    const { number } = this;
    const { bytes } = piece;
    const kind = number.read(bytes, from, end, isWanted);
    if (kind === 'none') return 'malformed';
    // Minus nothing is nothing.
    this.value = number.value + 0;
    this.timestamp = null;
    if (number.end < end && !this.readExtras(piece, afterBlanks(bytes, number.end), end)) return 'malformed';
    return kind === 'decimal' ? 'sample' : 'non-finite';
  }

  /**
   * Reads a value that nothing but the line feed follows, so that nobody has to look for that first.
   * @returns the place of the line feed, or `NOWHERE` where the tail is another
   */
  readBareTail({ bytes }: Piece, from: number, isWanted: boolean): number {
    const { number } = this;
    if (number.read(bytes, from, NOWHERE, isWanted) !== 'decimal' || bytes[number.end] !== LINE_FEED) return NOWHERE;
    this.value = number.value + 0;
    this.timestamp = null;
    return number.end;
  }

  /** Timestamp and exemplar, if they are there. */
  private readExtras(piece: Piece, from: number, end: number): boolean {
    const { bytes } = piece;
    let at = from;
    if (at < end && bytes[at] !== HASH) {
      if (!this.isTimestamp(bytes, at, end)) return false;
      this.timestamp = this.number.value;
      at = afterBlanks(bytes, this.number.end);
    }
    return at === end || (bytes[at] === HASH && this.isExemplar(piece, at + 1, end));
  }

  /** Seconds with a fraction, or milliseconds. */
  private isTimestamp(bytes: Buffer, from: number, end: number): boolean {
    const { number } = this;
    return number.read(bytes, from, end) !== 'none' && !number.hasExponent && !Number.isNaN(number.value);
  }

  /** Blank, labels, a number and perhaps its time. */
  private isExemplar(piece: Piece, from: number, end: number): boolean {
    const { bytes } = piece;
    if (!isOf(bytes[from], IS_BLANK)) return false;
    const brace = afterBlanks(bytes, from);
    if (bytes[brace] !== OPEN_BRACE) return false;
    this.exemplarLabels ??= new LabelSet();
    this.exemplarLabels.forget();
    const after = this.exemplarLabels.read(piece, brace + 1);
    if (after < 0 || this.number.read(bytes, afterBlanks(bytes, after), end) === 'none') return false;
    const time = afterBlanks(bytes, this.number.end);
    return time === end || (this.isTimestamp(bytes, time, end) && afterBlanks(bytes, this.number.end) === end);
  }
}

/** Where a line ends, of which a line feed stands at `to`. */
export const endOfLine = (bytes: Uint8Array, from: number, to: number): number =>
  to > from && bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to;

export const isEndMark = (bytes: Uint8Array, from: number, end: number): boolean =>
  end - from === END_MARK.length && END_MARK.every((byte, index) => bytes[from + index] === byte);
