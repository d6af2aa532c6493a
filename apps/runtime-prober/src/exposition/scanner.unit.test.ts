import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ExpositionScanner, SCAN_LIMITS, type Scan, scanExposition } from './scanner.js';
import { WantedNames } from './wanted-names.js';

const names = () => new WantedNames(['up', 'queue:size', 'share']);
const scan = (body: string, limits = SCAN_LIMITS): Scan => scanExposition(Buffer.from(body), names(), limits);

const valuesOf = ({ samples }: Scan): readonly number[] => Array.from(samples, ({ value }) => value);

/** The lines of a scan as text, labels in the order of the line. */
const told = ({ samples }: Scan): readonly string[] =>
  [...samples].map(({ series, value, timestamp }) => {
    const at = timestamp === null ? '' : ` @${timestamp}`;
    return `${series.name}${series.pairs.length > 0 ? JSON.stringify(series.pairs) : ''}=${value}${at}`;
  });

describe('one line of an exposition', () => {
  it.each([
    ['up 1', 'up=1'],
    ['up{} 1', 'up=1'],
    ['up{}1', 'up=1'],
    ['  up\t1\t', 'up=1'],
    ['up {a="b"} 1', 'up["a","b"]=1'],
    ['up{ a = "b" , c="d" , } 1', 'up["a","b","c","d"]=1'],
    ['up{a="} , = # \\" \\\\ \\n ä"} 1', 'up["a","} , = # \\" \\\\ \\n ä"]=1'],
    ['up{a=""} 1 1786950000.5', 'up["a",""]=1 @1786950000.5'],
    ['up 1 -5', 'up=1 @-5'],
    ['up -0', 'up=0'],
    ['up +42', 'up=42'],
    ['up .5e1', 'up=5'],
    ['up 7.', 'up=7'],
    ['up 1.2345678901e+010', 'up=12345678901'],
    ['up 0.1', 'up=0.1'],
    ['up 123456789012345678901234567890', 'up=1.2345678901234568e+29'],
    ['up 4.9e-324', 'up=5e-324'],
    ['up 1e-400', 'up=0'],
    ['up 17 # {trace_id="x"} 0.67', 'up=17'],
    ['up 17 3 # {} +Inf 1.5', 'up=17 @3'],
    ['queue:size 2', 'queue:size=2'],
    ['up 1\r', 'up=1'],
  ])('%j is %s', (line, sample) => {
    const found = scan(`${line}\n`);
    expect(told(found)).toEqual([sample]);
    expect(found).toMatchObject({ series: 1, malformed: 0, nonFinite: 0, duplicates: 0, truncated: false });
  });

  it.each([
    ...['9up 1', 'up', 'up ', 'up{a="b"}', 'up{a="b"', 'up{a="b} 1', 'up{a=b} 1', 'up{9a="b"} 1', 'up{a:b="c"} 1'],
    ...['up{,} 1', 'up{a="b",,} 1', 'up{a="b" c="d"} 1', 'up{a="\\x"} 1', 'up{a="b",a="c"} 1', 'up{a="b"} 1 2 3'],
    ...['up 0x10', 'up 1_000', 'up 1,000', 'up 12abc', 'up 1e', 'up 1e+', 'up .', 'up + 1', 'up --1', 'up 1 yesterday'],
    ...[
      'up 1 2e5',
      'up 1 NaN',
      'up 1 # comment',
      'up 1 #{} 1',
      'up 1 # {} ',
      'up 1 # {a="b",a="c"} 1',
      'up 1 # {} 1 2 3',
    ],
    ...['ü 1', 'up 1\u00a0', '\ufeffup 1', 'up infinit', 'up nano', '{a="b"} 1'],
  ])('%j is malformed, wanted or not', (line) => {
    const found = scan(`${line}\nup 5\n`);
    expect(found).toMatchObject({ malformed: 1, series: 1 });
    expect(valuesOf(found)).toEqual([5]);
    expect(scan(`${line.replaceAll('up', 'other')}\n`)).toMatchObject({ malformed: 1, series: 0 });
  });

  it.each(['NaN', 'nan', '-NaN', 'Inf', '+inf', '-INFINITY', 'infinity', '1e400', '-1e400'])(
    '%s is not finite',
    (value) => {
      expect(scan(`up ${value}\nother ${value}\nup{a="b"} 1\n`)).toMatchObject({
        nonFinite: 2,
        malformed: 0,
        series: 1,
      });
    },
  );

  it('of more labels than are compared with each other is read, and none of them may come twice', () => {
    const labels = Array.from({ length: 500 }, (_, index) => `l${index}="v"`);
    const [sample] = scan(`up{${labels.join()}} 1\n`).samples;
    expect(sample?.series.pairs).toHaveLength(1_000);
    expect(scan(`up{${[...labels, 'l3="w"'].join()}} 1\n`)).toMatchObject({ malformed: 1, series: 0 });
  });

  it('after a line with the same names is held to the same rules', () => {
    const body =
      'up{a="1",b="2"} 1\nup{a="1",b="2",b="3"} 1\nup{a="1",a="2"} 1\nup{b="2",a="1",b="2"} 1\nup{a="1",b="3"} 1\n';
    expect(scan(body)).toMatchObject({ malformed: 3, series: 2 });
  });

  it('that begins as the one before and goes on is another', () => {
    expect(told(scan('up 1\nup1 2\nupper 3\nup {a="b"} 4\nup {a="bc"} 5\nup {a="b"}6 7\n'))).toEqual([
      'up=1',
      'up["a","b"]=6 @7',
      'up["a","bc"]=5',
    ]);
  });
});

describe('a body', () => {
  it('ends at its mark, and need not end in a line feed there', () => {
    expect(scan('up 1\n# EOF\nup{a="b"} 2\nrubbish')).toMatchObject({ series: 1, malformed: 0, truncated: false });
    expect(scan('up 1\n# EOF')).toMatchObject({ series: 1, truncated: false });
    expect(scan('up 1\n # EOF\n# EOFx\nup{a="b"} 2\n')).toMatchObject({ series: 2 });
  });

  it('that ends inside a line is read without it', () => {
    expect(scan('up 1\nup{a="b"} 1')).toMatchObject({ series: 1, malformed: 0, truncated: true });
    expect(scan('up 1\n# EO')).toMatchObject({ truncated: true });
    expect(scan('')).toMatchObject({ series: 0, truncated: false });
  });

  it('knows a series by its labels in any order; the newest counts, and of equals the first', () => {
    const body =
      'up{a="1",b="2"} 1\nup{b="2",a="1"} 2 5\nup{ a = "1", b="2" } 3 4\nup{a="1",b="2"} 4 5\nup{a="1",b="2",c=""} 9\n';
    const found = scan(body);
    expect(found).toMatchObject({ duplicates: 3, series: 2 });
    expect(valuesOf(found)).toEqual([2, 9]);
    const others = scan('other{a="1"} 1\nother{a="1"} 2\nother{a="2"} 2\n');
    expect(others).toMatchObject({ duplicates: 1, series: 2 });
    expect(others.samples).toHaveLength(0);
  });

  it('of more series than are kept says so, and still counts', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `up{a="${index}"} 1\nother{a="${index}"} 1\n`).join('');
    const found = scan(lines + lines, { ...SCAN_LIMITS, maxSeries: 20 });
    expect(found.samples).toHaveLength(20);
    expect(found).toMatchObject({ tooManySeries: true, malformed: 0 });
    expect(scan(lines + lines)).toMatchObject({ series: 60, duplicates: 60, tooManySeries: false });
  });

  it('of more series than are remembered is read whole, whatever becomes of the memory that it came in', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `up{a="${index}",b="\\n\u00e4"} ${index}`);
    const again = ['up{b="\\n\u00e4",a="4999"} 7 5', 'up{a="0",b="\\n\u00e4"} 8 5', 'up{a="4999",b="\\n\u00e4"} 9 4'];
    const body = Buffer.from(`${[...lines, ...again].join('\n')}\n`);
    const expected = lines.map((_, index) => `up["a","${index}","b","\\n\u00e4"]=${index}`);
    expected[0] = 'up["a","0","b","\\n\u00e4"]=8 @5';
    expected[4_999] = 'up["a","4999","b","\\n\u00e4"]=7 @5';
    for (const length of [body.length, 70_000, 1_000, 33]) {
      const scanner = new ExpositionScanner(names());
      for (let at = 0; at < body.length; at += length) {
        const piece = Uint8Array.from(body.subarray(at, at + length));
        scanner.push(piece);
        piece.fill(0x22);
      }
      const found = scanner.end();
      expect(found).toMatchObject({ series: 5_000, duplicates: 3 });
      expect(told(found)).toEqual(expected);
      expect(told(found)).toEqual(told(scanExposition(body, names())));
    }
  });

  it('of more bytes than are read tells nothing but that, and wants no more of it', () => {
    const scanner = new ExpositionScanner(names(), { ...SCAN_LIMITS, maxBytes: 10 });
    expect(scanner.push(Buffer.from('up 1\nup'))).toBe(true);
    expect(scanner.push(Buffer.from('{a="b"} 2\n'))).toBe(false);
    const found = scanner.end();
    expect(found).toMatchObject({ tooLarge: true, series: 0 });
    expect(found.samples).toHaveLength(0);
  });

  it('reads alike whatever was read before it with the same names', () => {
    const folder = new URL('../../../../test/fixtures/engine-metrics/', import.meta.url);
    const shared = new WantedNames(['vllm:num_requests_running', 'vllm:time_to_first_token_seconds_bucket']);
    for (const file of [...readdirSync(folder), ...readdirSync(folder)].filter((name) => name.endsWith('.prom'))) {
      const body = readFileSync(new URL(file, folder));
      const fresh = new WantedNames(['vllm:num_requests_running', 'vllm:time_to_first_token_seconds_bucket']);
      const [one, other] = [scanExposition(body, shared), scanExposition(body, fresh)];
      expect({ ...one, samples: [...one.samples] }).toEqual({ ...other, samples: [...other.samples] });
    }
  });
});
