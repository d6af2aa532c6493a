import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CsvError, csvRows } from './csv.js';

async function* pieces(...texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}
const rowsOf = async (...texts: readonly string[]) => {
  const rows: (readonly string[])[] = [];
  for await (const row of csvRows(pieces(...texts))) rows.push(row);
  return rows;
};

describe('rows of CSV', () => {
  it('hold what stands between commas, with either line end and without one at the end', async () =>
    expect(await rowsOf('a,b,\r\n1,,3\n\n4,5,6')).toEqual([
      ['a', 'b', ''],
      ['1', '', '3'],
      ['4', '5', '6'],
    ]));

  it('keep commas, line ends and doubled quotes of a quoted cell', async () =>
    expect(await rowsOf('"{\'Gpus\': [{\'Name\': ""L40S"", \'Count\': 1.0}]}","two\nlines",x\n')).toEqual([
      ["{'Gpus': [{'Name': \"L40S\", 'Count': 1.0}]}", 'two\nlines', 'x'],
    ]));

  it('are refused where a quote is open at the end, since the file is cut off, or a row has no end', async () => {
    await expect(rowsOf('a,b\n1,"2')).rejects.toThrow(CsvError);
    await expect(rowsOf(`a\n"${'x'.repeat(70_000)}`)).rejects.toThrow('row 2 is longer');
  });

  it('come back whole from any text, however it is cut into pieces', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '😀'), maxLength: 6 });
    const row = fc.array(cell, { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 5 }), fc.integer({ min: 1, max: 7 }), async (rows, size) => {
        const quoted = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
        const text = quoted.map((line) => `${line}\n`).join('');
        // A stream of text never cuts a character in two.
        const characters = Array.from(text);
        const cuts = Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
          characters.slice(index * size, (index + 1) * size).join(''),
        );
        expect(await rowsOf(...cuts)).toEqual(rows);
      }),
    );
  });
});
