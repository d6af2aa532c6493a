import { HASH, IS_BLANK, LINE_FEED, afterBlanks, isOf } from './characters.js';
import { Fingerprint } from './fingerprint.js';
import type { Head } from './head.js';
import { Line, type LineKind, NOWHERE, endOfLine, isEndMark } from './line.js';
import type { Piece } from './piece.js';
import { Series } from './series.js';
import type { WantedNames } from './wanted-names.js';

/** New heads of one body that are remembered; an engine writes some hundreds. */
const MOST_NEW_HEADS = 2_000;

/** Reads the lines of one body, one after the other. What was read last stands in the members. */
export class LineReader {
  /** Of the series. */
  readonly fingerprint = new Fingerprint();
  /** Undefined where nobody wants it. */
  series: Series | undefined;
  /** The place of the line feed that ended the line. */
  lineFeed = 0;
  private readonly line: Line;
  private previous: Head | undefined;
  private newHeads = 0;

  constructor(private readonly names: WantedNames) {
    this.line = new Line(names);
    this.previous = names.heads.start;
  }

  get value(): number {
    return this.line.value;
  }

  get timestamp(): number | null {
    return this.line.timestamp;
  }

  /** The bytes of earlier lines are no longer there. */
  forget(): void {
    this.line.forget();
  }

  /** Reads the line at `from`; a line feed must be there. */
  read(piece: Piece, from: number): LineKind {
    const { bytes } = piece;
    const next = this.previous?.next;
    const head = next?.isAt(piece, from) === true ? next : undefined;
    const tail = head ? afterBlanks(bytes, from + head.length) : from;
    const isWanted = head?.series !== undefined;
    this.lineFeed = head ? this.line.readBareTail(piece, tail, isWanted) : NOWHERE;
    if (head && this.lineFeed !== NOWHERE) return this.take(head, 'sample');
    this.lineFeed = bytes.indexOf(LINE_FEED, from);
    const end = endOfLine(bytes, from, this.lineFeed);
    if (head) {
      const kind = this.line.readTail(piece, tail, end, isWanted);
      // What is no number may be labels, behind a blank.
      if (kind !== 'malformed') return this.take(head, kind);
    }
    const start = afterBlanks(bytes, from);
    if (start === end) return 'skipped';
    if (bytes[start] === HASH) return isEndMark(bytes, from, end) ? 'end' : 'skipped';
    return this.readAnew(piece, start, end);
  }

  private take(head: Head, kind: LineKind): LineKind {
    this.fingerprint.low = head.low;
    this.fingerprint.high = head.high;
    this.series = head.series;
    this.previous = head;
    return kind;
  }

  private readAnew(piece: Piece, from: number, end: number): LineKind {
    const { line, fingerprint } = this;
    const { bytes } = piece;
    const to = line.readHead(piece, from);
    if (to < 0) return 'malformed';
    const { name, labels } = line;
    const kind = line.readTail(piece, afterBlanks(bytes, to), end, name.wanted !== undefined);
    if (kind === 'malformed') return kind;
    fingerprint.low = (name.fingerprint.low + labels.low) | 0;
    fingerprint.high = (name.fingerprint.high + labels.high) | 0;
    const head = this.headOf(piece, from, to);
    if (head) return this.take(head, kind);
    this.series = this.newSeries(bytes);
    this.previous = undefined;
    return kind;
  }

  private headOf(piece: Piece, from: number, to: number): Head | undefined {
    if (!isOf(piece.bytes[to], IS_BLANK)) return undefined;
    const { heads } = this.names;
    let head = heads.find(this.fingerprint, piece, from, to + 1 - from);
    if (!head && this.newHeads < MOST_NEW_HEADS) {
      head = heads.keep(this.fingerprint, piece, from, to + 1, this.newSeries(piece.bytes));
      this.newHeads += 1;
    }
    if (this.previous && head) this.previous.next = head;
    return head;
  }

  private newSeries(bytes: Buffer): Series | undefined {
    const { name, labels } = this.line;
    return name.wanted === undefined ? undefined : new Series(name.wanted, labels.pairs(bytes));
  }
}
