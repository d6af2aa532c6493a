/** A file that is not CSV as RFC 4180 has it. */
export class CsvError extends Error {
  readonly code = 'invalid-csv';
}

/** No row of a price list is longer; a quote that is never closed must not take the whole file for one cell. */
const MAX_ROW_CHARACTERS = 65_536;

const MEANINGFUL = /[",\r\n]/g;

/**
 * Rows of CSV text that arrives in pieces, cut anywhere: quoted cells may hold commas, line ends and doubled quotes. Empty
 * lines are skipped.
 * @throws CsvError for a row that is too long, or a quote that is open at the end
 */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  const reader = new RowReader();
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

class RowReader {
  private cells: string[] = [];
  private cell = '';
  private length = 0;
  private row = 1;
  /** `quote-seen`: a quote within a quoted cell, which ends it unless another follows. */
  private state: 'plain' | 'quoted' | 'quote-seen' = 'plain';

  *read(chunk: string): Generator<readonly string[]> {
    let at = 0;
    while (at < chunk.length) {
      const end = this.ordinaryUntil(chunk, at);
      if (end > at) {
        this.keep(chunk.slice(at, end));
        at = end;
        continue;
      }
      const done = this.take(chunk.charAt(at));
      at += 1;
      if (done) yield done;
    }
  }

  *end(): Generator<readonly string[]> {
    if (this.state === 'quoted') throw new CsvError(`row ${this.row} ends within a quoted cell: the file is cut off`);
    const last = this.finishRow();
    if (last) yield last;
  }

  /** Where the next character stands that means something in this state. */
  private ordinaryUntil(chunk: string, at: number): number {
    if (this.state === 'quote-seen') return at;
    if (this.state === 'quoted') {
      const quote = chunk.indexOf('"', at);
      return quote < 0 ? chunk.length : quote;
    }
    MEANINGFUL.lastIndex = at;
    return MEANINGFUL.exec(chunk)?.index ?? chunk.length;
  }

  private keep(text: string): void {
    this.grow(text.length);
    this.cell += text;
  }

  private grow(by: number): void {
    this.length += by;
    if (this.length > MAX_ROW_CHARACTERS)
      throw new CsvError(`row ${this.row} is longer than ${MAX_ROW_CHARACTERS} characters`);
  }

  private take(character: string): readonly string[] | undefined {
    this.grow(1);
    if (this.state === 'quoted') {
      if (character === '"') this.state = 'quote-seen';
      else this.cell += character;
      return undefined;
    }
    if (character === '"' && (this.state === 'quote-seen' || this.cell === '')) {
      if (this.state === 'quote-seen') this.cell += character;
      this.state = 'quoted';
      return undefined;
    }
    this.state = 'plain';
    if (character === ',') this.finishCell();
    else if (character === '\n') return this.finishRow();
    else if (character !== '\r') this.cell += character;
    return undefined;
  }

  private finishCell(): void {
    this.cells.push(this.cell);
    this.cell = '';
    this.state = 'plain';
  }

  private finishRow(): readonly string[] | undefined {
    this.finishCell();
    const { cells } = this;
    this.cells = [];
    this.length = 0;
    this.row += 1;
    return cells.length === 1 && cells[0] === '' ? undefined : cells;
  }
}
