import { HeldTextReader, HeldTexts } from './held-texts.js';
import { Line } from './line.js';
import type { Piece } from './piece.js';
import type { Sample, Series } from './series.js';
import { UNKEPT } from './series-table.js';
import type { WantedNames } from './wanted-names.js';

/**
 * The samples of a body, in its order. They are held as columns of numbers, and a series that is not remembered from other bodies as the
 * text it was written in, of which an object is made only when somebody looks at it: a hundred thousand objects that live as long as a
 * scan are copied by each collection of garbage in between, which takes several times as long as reading them.
 */
export class Samples implements Iterable<Sample> {
  length = 0;
  /** Of each sample where its series is found, and its value. */
  private rows = NO_ROWS;
  private readonly remembered: Series[] = [];
  private readonly texts = new HeldTexts();
  /** By the number of the sample; few servers write any. */
  private readonly timestamps = new Map<number, number>();

  constructor(private readonly names: WantedNames) {}

  add(series: Series, value: number, timestamp: number | null): void {
    this.addRow(-this.remembered.push(series), value, timestamp);
  }

  /** Adds a sample of a series that stands from `from` up to `to`, the byte behind it among them. */
  addText(piece: Piece, from: number, to: number, value: number, timestamp: number | null): void {
    this.addRow(this.texts.hold(piece, from, to), value, timestamp);
  }

  /** Takes another value of the series of a sample, if it is newer; one without a timestamp is older than any. */
  update(index: number, value: number, timestamp: number | null): void {
    const before = this.timestamps.get(index) ?? Number.NEGATIVE_INFINITY;
    if (index === UNKEPT || timestamp === null || timestamp <= before) return;
    this.rows[index * FIELDS + 1] = value;
    this.timestamps.set(index, timestamp);
  }

  *[Symbol.iterator](): Generator<Sample, void> {
    const reader = new SeriesReader(this.names, this.texts);
    for (let index = 0; index < this.length; index++) {
      const place = this.rows[index * FIELDS] ?? 0;
      const series = place < 0 ? this.remembered[-place - 1] : reader.read(place);
      if (series)
        yield { series, value: this.rows[index * FIELDS + 1] ?? 0, timestamp: this.timestamps.get(index) ?? null };
    }
  }

  /** @param place of a text, or less than 0 of a series that is remembered */
  private addRow(place: number, value: number, timestamp: number | null): void {
    const at = this.length * FIELDS;
    if (at === this.rows.length) this.widen();
    this.rows[at] = place;
    this.rows[at + 1] = value;
    if (timestamp !== null) this.timestamps.set(this.length, timestamp);
    this.length += 1;
  }

  private widen(): void {
    const wider = new Float64Array(Math.max(FIELDS * FIRST_ROWS, this.rows.length * 2));
    wider.set(this.rows);
    this.rows = wider;
  }
}

const FIELDS = 2;
const FIRST_ROWS = 32;
const NO_ROWS = new Float64Array(0);

/** Makes series of their texts. Those that stand one behind the other share the most of them. */
class SeriesReader {
  private readonly line: Line;
  private readonly text: HeldTextReader;

  constructor(names: WantedNames, texts: HeldTexts) {
    this.line = new Line(names);
    this.text = new HeldTextReader(texts);
  }

  read(place: number): Series | undefined {
    const { line, text } = this;
    if (text.find(place)) line.forget();
    line.readHead(text.piece, text.offset);
    return line.newSeries(text.piece.bytes);
  }
}
