import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { vllmMetrics } from '../engines/vllm/metrics.js';
import { loadOf } from './load.js';
import { wantedNames } from './names.js';
import { type EngineReading, readingOf } from './reading.js';
import { MetricsScanner, type Scan, scanMetrics } from './scan.js';

const WANTED = wantedNames(vllmMetrics);
const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../test/fixtures/engine-metrics/${name}`, import.meta.url), 'utf8');

/** The body in pieces of so many characters, as a network might hand them over. */
function inPieces(body: string, length: number): Scan {
  const scanner = new MetricsScanner(WANTED);
  for (let at = 0; at < body.length; at += length) scanner.push(body.slice(at, at + length));
  return scanner.end();
}

describe('huge bodies', () => {
  const tail = fixture('edge-crlf.prom').replaceAll('\r', '');

  it('one label of 22 MiB before the useful lines', () => {
    const body = `vllm:cache_config_info{engine="0",x="${'a'.repeat(22 * 1024 * 1024)}"} 1.0\n${tail}`;
    for (const scan of [scanMetrics(body, WANTED), inPieces(body, 64 * 1024)]) {
      expect(loadOf(scan, vllmMetrics)).toMatchObject({ running: 6, waiting: 4, kvCacheUsage: 0.75 });
    }
  });

  it('200 000 series of one family', () => {
    const line = (engine: number): string =>
      `vllm:request_success_total{engine="${engine}",finished_reason="stop",model_name="m"} 1\n`;
    const body = Array.from({ length: 200_000 }, (_, engine) => line(engine)).join('');
    const scan = scanMetrics(body, WANTED, Number.POSITIVE_INFINITY);
    expect(readingOf(scan, vllmMetrics).finished).toEqual({ stop: 200_000 });
    // More than are kept of any scrape: what is there is no whole.
    const capped = scanMetrics(body, WANTED);
    expect(capped).toMatchObject({ tooManySeries: true, samples: { length: 100_000 } });
    expect(loadOf(capped, vllmMetrics).whole).toBeNull();
  });

  it('1 MiB without a line feed', () => {
    expect(scanMetrics('a'.repeat(1024 * 1024), WANTED)).toMatchObject({ samples: [], malformed: 0, truncated: true });
  });
});

const piece = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...['vllm:num_requests_running', 'vllm:time_to_first_token_seconds_bucket', 'vllm:kv_cache_usage_perc', 'other'],
    ...[
      '{',
      '}',
      '{engine="0",le="1"}',
      'engine="0"',
      ',',
      '"',
      '\\',
      '\\n',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '#',
      '# EOF',
      ' # {} 1',
    ],
    ...['1', '1e400', '-5', 'NaN', '+Inf', '0x1', '7.', '.5e1', '1.2345678901e+010', '1_000', ' 17000'],
  ),
);
const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

/** Every number anywhere in a reading. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** How many bodies are tried; `npm run fuzz:metrics` asks for far more. */
const numRuns = Number(process.env['DAVIT_FUZZ_BODIES'] ?? 1_500);

describe('any text at all', () => {
  it('is read without a fault, alike in whatever pieces it comes, into finite numbers that are not negative', () => {
    let lines = 0;
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (body, length) => {
        lines += body.split('\n').length;
        const scan = scanMetrics(body, WANTED);
        expect(inPieces(body, length)).toEqual(scan);
        const { buckets, ...reading } = withoutBounds(readingOf(scan, vllmMetrics));
        for (const value of [...numbersIn(reading), ...buckets]) expect(value).toBeGreaterThanOrEqual(0);
        for (const value of [...numbersIn(reading), ...buckets]) expect(Number.isFinite(value)).toBe(true);
        expect(reading.kvCacheUsage?.max ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns },
    );
    if (process.env['DAVIT_FUZZ_BODIES'] !== undefined) process.stdout.write(`${lines} lines\n`);
  }, 3_600_000);
});

/** Bounds of buckets are infinite on purpose; the counts in them are not. */
function withoutBounds(reading: EngineReading) {
  const names = ['firstTokenSeconds', 'interTokenSeconds', 'endToEndSeconds', 'queueSeconds'] as const;
  const buckets = names.flatMap((name) => reading[name]?.buckets ?? []).map(({ count }) => count);
  const empty = Object.fromEntries(names.map((name) => [name, reading[name] && { ...reading[name], buckets: [] }]));
  return { ...reading, ...empty, buckets };
}

describe('the work of a scan', () => {
  /** A body that counts how often any of its characters is asked for. */
  it.each([
    ['blanks before nothing', (size: number) => `vllm:num_requests_running${' '.repeat(size)}x\n`],
    ['open labels', (size: number) => `vllm:num_requests_running{${'a="b",'.repeat(size / 6)}\n`],
    ['hashes', (size: number) => `vllm:num_requests_running 1 ${'# '.repeat(size / 2)}\n`],
    ['backslashes', (size: number) => `vllm:num_requests_running{a="${'\\\\'.repeat(size / 2)}\n`],
    ['digits', (size: number) => `vllm:num_requests_running ${'1'.repeat(size)}e\n`],
    ['braces', (size: number) => `vllm:num_requests_running 1 # ${'{'.repeat(size)}\n`],
  ])('on %s grows with the length and not with its square', (_what, lineOf) => {
    // A square would take sixteen million times as long as the short line; a second is far more than a line of 4 MB needs.
    const scan = scanMetrics(lineOf(4_000_000), WANTED);
    expect(scan.truncated).toBe(false);
    expect(scan.samples.length + scan.malformed + scan.nonFinite).toBe(1);
  });
});
