import { expect, it } from '@jest/globals';
import { ExpositionScanner, type Scan, type ScanLimits } from './scanner.js';
import { WantedNames } from './wanted-names.js';

const NAMES = new WantedNames(['up']);
const SERIES = 30_000;
/** Every third series comes again on the next line, newer; the last thousand come again in the end, older. */
const LINES = [
  ...Array.from({ length: SERIES }, (_, index) => [
    `up{engine="${index}",model="m"} ${index} 1000`,
    ...(index % 3 === 0 ? [`up{engine="${index}",model="m"} ${index + 0.5} 1001`] : []),
  ]).flat(),
  ...Array.from({ length: 1_000 }, (_, index) => `up{model="m", engine="${SERIES - 1 - index}"} -1 999`),
];
const BODY = Buffer.from(LINES.map((line) => `${line}\n`).join(''));
const DUPLICATES = SERIES / 3 + 1_000;

function scan(pieceBytes: number, limits: ScanLimits): Scan {
  const scanner = new ExpositionScanner(NAMES, limits);
  for (let at = 0; at < BODY.length; at += pieceBytes) {
    const piece = Uint8Array.from(BODY.subarray(at, at + pieceBytes));
    scanner.push(piece);
    piece.fill(0);
  }
  return scanner.end();
}

it.each([7_001, BODY.length])('tells of many series what it tells of few, in pieces of %i bytes', (pieceBytes) => {
  const { samples, series, duplicates, tooManySeries } = scan(pieceBytes, { maxBytes: 2 ** 30, maxSeries: SERIES });
  expect({ series, duplicates, tooManySeries }).toEqual({
    series: SERIES,
    duplicates: DUPLICATES,
    tooManySeries: false,
  });
  const told = [...samples].map(({ series: { pairs }, value }) => [pairs[1], value]);
  expect(told).toEqual(
    Array.from({ length: SERIES }, (_, index) => [String(index), index % 3 === 0 ? index + 0.5 : index]),
  );
});

it.each([7_001, BODY.length])('keeps no more of many series than the limit, in pieces of %i bytes', (pieceBytes) => {
  const maxSeries = 20_000;
  const { samples, tooManySeries } = scan(pieceBytes, { maxBytes: 2 ** 30, maxSeries });
  expect(tooManySeries).toBe(true);
  expect([...samples].map(({ series: { pairs } }) => pairs[1])).toEqual(
    Array.from({ length: maxSeries }, (_, index) => String(index)),
  );
});
