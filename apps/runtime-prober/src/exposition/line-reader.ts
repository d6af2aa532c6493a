import { HASH, IS_BLANK, LINE_FEED, STARTS_NAME, afterBlanks, isOf } from './characters.js';
import { Fingerprint } from './fingerprint.js';
import type { Head } from './head.js';
import { Line, type LineKind, NOWHERE, endOfLine, isEndMark } from './line.js';
import type { Piece } from './piece.js';
import { SampleLine } from './sample-line.js';
import type { Series } from './series.js';
import type { WantedNames } from './wanted-names.js';

/** New heads of one body that are remembered; an engine writes some hundreds. Where there are more, no further ones are looked up. */
const MOST_NEW_HEADS = 2_000;

const NO_SAMPLE = new SampleLine();

/** Reads the lines of one body, one after the other. */
export class LineReader {
  /** The place of the line feed that ended the line. */
  lineFeed = 0;
  private readonly line: Line;
  /** Where a sample is put. */
  private sample = NO_SAMPLE;
  private readonly fingerprint = new Fingerprint();
  private previous: Head | undefined;
  private newHeads = 0;

  constructor(private readonly names: WantedNames) {
    this.line = new Line(names);
    this.previous = names.heads.start;
  }

  /** The bytes of earlier lines are no longer there. */
  forget(): void {
    this.line.forget();
  }

  /**
   * Reads the line at `from`; a line feed must be there.
   * @param sample where what was read is put, if the line is a sample; otherwise it holds nothing of use
   */
  read(piece: Piece, from: number, sample: SampleLine): LineKind {
    this.sample = sample;
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
    this.put(head, head.series, head.series !== undefined);
    this.previous = head;
    return kind;
  }

  private put({ low, high }: Pick<Fingerprint, 'low' | 'high'>, series: Series | undefined, isWanted: boolean): void {
    const { sample, line } = this;
    sample.low = low;
    sample.high = high;
    sample.series = series;
    sample.isWanted = isWanted;
    sample.value = line.value;
    sample.timestamp = line.timestamp;
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
    this.put(fingerprint, undefined, isWanted);
    this.sample.from = from;
    this.sample.to = to;
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
