import { HASH, IS_BLANK, LINE_FEED, STARTS_NAME, afterBlanks, isOf } from './characters.js';
import { Fingerprint } from './fingerprint.js';
import type { Head } from './head.js';
import { Line, type LineKind, NOWHERE, endOfLine, isEndMark } from './line.js';
import type { Piece } from './piece.js';
import type { Samples } from './samples.js';
import type { Series } from './series.js';
import type { WantedNames } from './wanted-names.js';

/** New heads of one body that are remembered; an engine writes some hundreds. Where there are more, no further ones are looked up. */
const MOST_NEW_HEADS = 2_000;

/** Reads the lines of one body, one after the other. What was read last stands in the members. */
export class LineReader {
  /** Of the series. */
  readonly fingerprint = new Fingerprint();
  isWanted = false;
  /** The place of the line feed that ended the line. */
  lineFeed = 0;
  private readonly line: Line;
  /** Undefined where nobody wants it, and where it is not remembered. */
  private series: Series | undefined;
  /** Where the head begins that is not remembered, and the place after it. */
  private headFrom = 0;
  private headTo = 0;
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

  /** Adds what was read last, in this piece, to others. */
  addTo(samples: Samples, piece: Piece): void {
    const { series, value, timestamp } = this;
    if (series) samples.add(series, value, timestamp);
    else samples.addText(piece, this.headFrom, this.headTo + 1, value, timestamp);
  }

  /** The bytes of earlier lines are no longer there. */
  forget(): void {
    this.line.forget();
  }

  /** Reads the line at `from`; a line feed must be there. */
  read(piece: Piece, from: number): LineKind {
    const next = this.previous?.next;
    if (next?.isAt(piece, from) === true) {
      const kind = this.readAfter(next, piece, from);
      if (kind !== 'malformed') return kind;
    }
    return this.readAnew(piece, from);
  }

  /** What is no number may be labels, behind a blank. */
  private readAfter(head: Head, piece: Piece, from: number): LineKind {
    const kind = this.readTail(piece, afterBlanks(piece.bytes, from + head.length), from, head.series !== undefined);
    return kind === 'malformed' ? kind : this.take(head, kind);
  }

  /** Most lines end right after their value, so that their end is searched for only where it is not there. */
  private readTail(piece: Piece, at: number, from: number, isWanted: boolean): LineKind {
    this.lineFeed = this.line.readBareTail(piece, at, isWanted);
    if (this.lineFeed !== NOWHERE) return 'sample';
    return this.line.readTail(piece, at, this.findEnd(piece.bytes, from), isWanted);
  }

  private findEnd(bytes: Buffer, from: number): number {
    this.lineFeed = bytes.indexOf(LINE_FEED, from);
    return endOfLine(bytes, from, this.lineFeed);
  }

  private take(head: Head, kind: LineKind): LineKind {
    this.fingerprint.low = head.low;
    this.fingerprint.high = head.high;
    this.series = head.series;
    this.isWanted = head.series !== undefined;
    this.previous = head;
    return kind;
  }

  private readAnew(piece: Piece, lineFrom: number): LineKind {
    const { line, fingerprint } = this;
    const { bytes } = piece;
    const from = afterBlanks(bytes, lineFrom);
    if (!isOf(bytes[from], STARTS_NAME)) return this.readOther(bytes, lineFrom, from);
    const to = line.readHead(piece, from);
    if (to < 0) {
      this.findEnd(bytes, from);
      return 'malformed';
    }
    const { name, labels } = line;
    const isWanted = name.wanted !== undefined;
    const kind = this.readTail(piece, afterBlanks(bytes, to), from, isWanted);
    if (kind === 'malformed') return kind;
    fingerprint.low = (name.fingerprint.low + labels.low) | 0;
    fingerprint.high = (name.fingerprint.high + labels.high) | 0;
    const head = this.headOf(piece, from, to);
    if (head) return this.take(head, kind);
    this.isWanted = isWanted;
    this.series = undefined;
    this.headFrom = from;
    this.headTo = to;
    this.previous = undefined;
    return kind;
  }

  /** A line that begins with no name, after its blanks. */
  private readOther(bytes: Buffer, lineFrom: number, from: number): LineKind {
    const end = this.findEnd(bytes, lineFrom);
    if (from === end) return 'skipped';
    if (bytes[from] === HASH) return isEndMark(bytes, lineFrom, end) ? 'end' : 'skipped';
    return 'malformed';
  }

  private headOf(piece: Piece, from: number, to: number): Head | undefined {
    if (!isOf(piece.bytes[to], IS_BLANK) || this.newHeads >= MOST_NEW_HEADS) return undefined;
    const { heads } = this.names;
    let head = heads.find(this.fingerprint, piece, from, to + 1 - from);
    if (!head) {
      head = heads.keep(this.fingerprint, piece, from, to + 1, this.line.newSeries(piece.bytes));
      this.newHeads += 1;
    }
    if (this.previous && head) this.previous.next = head;
    return head;
  }
}
