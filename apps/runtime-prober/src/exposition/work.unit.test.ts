import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ExpositionScanner } from './scanner.js';

const session = new Session();
let newScanner: () => ExpositionScanner;

/** The engine counts how often each block of code runs, if it is told to before it compiles the code. */
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const { ExpositionScanner: Scanner } = await import('./scanner.js');
  const { WantedNames } = await import('./wanted-names.js');
  newScanner = () => new Scanner(new WantedNames(['up']), { maxBytes: Number.POSITIVE_INFINITY, maxSeries: 100 });
});
afterAll(() => session.disconnect());

/** How often any block of the parser's code ran: work that is told by no clock. */
async function workOf(body: Buffer, length: number): Promise<number> {
  await session.post('Profiler.takePreciseCoverage'); // which begins anew
  const scanner = newScanner();
  for (let at = 0; at < body.length; at += length) scanner.push(body.subarray(at, at + length));
  scanner.end();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/exposition/') && !url.includes('.test.'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
    .reduce((sum, count) => sum + count, 0);
}

/** Each makes a body of about so many bytes. */
const HOSTILE: readonly (readonly [string, (size: number) => string])[] = [
  ['blanks before nothing', (size) => `up${' '.repeat(size)}x\n`],
  ['one long name', (size) => `${'u'.repeat(size)} 1\n`],
  [
    'many labels of one line',
    (size) => `up{${Array.from({ length: size / 8 }, (_, index) => `l${index}="v"`).join()}} 1\n`,
  ],
  [
    'the same many labels on two lines',
    (size) => `up{${Array.from({ length: size / 16 }, (_, index) => `l${index}="v"`).join()}} 1\n`.repeat(2),
  ],
  ['hashes', (size) => `up 1 ${'# '.repeat(size / 2)}\n`],
  ['an exemplar that is none', (size) => `up 1 # {${'a'.repeat(size)}\n`],
  ['backslashes', (size) => `up{a="${'\\\\'.repeat(size / 2)}\n`],
  [
    'backslashes far apart in a value that is not closed',
    (size) => `up{a="${`${'x'.repeat(200)}\\\\`.repeat(size / 202)}\n`,
  ],
  ['digits', (size) => `up ${'1'.repeat(size)}e\n`],
  ['values that are not closed, with quotes behind them', (size) => `up{a="${'x'.repeat(200)}\n`.repeat(size / 207)],
  [
    'values that are not closed, with one quote far behind',
    (size) => `${`up{a=${'x'.repeat(200)}\n`.repeat(size / 207)}"\n`,
  ],
  [
    'lines that each begin as the one before',
    (size) => Array.from({ length: size / 300 }, (_, index) => `up{a="${'x'.repeat(290)}${index % 10}"} 1\n`).join(''),
  ],
  ['line feeds', (size) => '\n'.repeat(size)],
  ['braces', (size) => `up 1 # ${'{'.repeat(size)}\n`],
  [
    'new series of a name that nobody wants',
    (size) => Array.from({ length: size / 16 }, (_, index) => `other{a="${index}"} 1\n`).join(''),
  ],
  ['the same line', (size) => 'up{a="b"} 1\n'.repeat(size / 12)],
];

describe('the work of a scan', () => {
  it.each(HOSTILE)('on %s grows with the bytes and not with their square', async (_what, bodyOf) => {
    for (const length of [Number.MAX_SAFE_INTEGER, 100]) {
      const [small, large] = [
        await workOf(Buffer.from(bodyOf(8_000)), length),
        await workOf(Buffer.from(bodyOf(32_000)), length),
      ];
      expect(small).toBeGreaterThan(0);
      // Four times the bytes: a square would be sixteen times the work.
      expect(large / small).toBeLessThan(6);
    }
  });
});
