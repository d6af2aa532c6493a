import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { vllmMetrics } from '../engines/vllm/metrics.js';
import { wantedNames } from '../metrics/names.js';
import { ratesBetween } from '../metrics/rates.js';
import { readingOf } from '../metrics/reading.js';
import { ExpositionScanner, type Scan, scanExposition } from './scanner.js';
import { WantedNames } from './wanted-names.js';

const WANTED = wantedNames(vllmMetrics);

/** Pieces of lines, from which bodies are made that are nearly right, or not at all. */
const text = fc.oneof(
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  {
    weight: 12,
    arbitrary: fc.constantFrom(
      ...[
        'vllm:num_requests_running',
        'vllm:kv_cache_usage_perc',
        'vllm:request_success_total',
        'other',
        'vllm:prompt_tokens',
      ],
      ...['vllm:time_to_first_token_seconds_bucket', 'vllm:time_to_first_token_seconds_sum', 'vllm:lora_requests_info'],
      ...['vllm:time_to_first_token_seconds_count', 'vllm:gpu_cache_usage_perc', 'ray_vllm_num_requests_running'],
      ...[
        '{',
        '}',
        '{}',
        '{engine="0",le="1"}',
        '{engine="1",le="+Inf"}',
        '{engine="0",le="0.5"}',
        '{pid="7"}',
        '{engine="0"}',
      ],
      ...['engine="0"', 'finished_reason="stop"', 'le="0.1"', ',', '=', '"', '\\', '\\n', '\\"'],
      ...[' ', '\t', '\n', '\n', '\n', '\r\n', '#', '# HELP x y', '# EOF', ' # {} 1', ' # {a="b"} 2 3'],
      ...[
        ' 1',
        ' 2',
        ' 0.5',
        ' 1e400',
        ' -5',
        ' NaN',
        ' +Inf',
        ' 0x1',
        ' 7.',
        ' .5e1',
        ' 1.2345678901e+010',
        ' 1_000',
        ' 17000',
      ],
      ...[' 1.7976931348623157e308', ' 5e-324', ' -1'],
    ),
  },
);
const body = fc
  .array(
    fc.oneof({ weight: 20, arbitrary: text.map((piece) => Buffer.from(piece)) }, { weight: 1, arbitrary: bytes() }),
    { maxLength: 60 },
  )
  .map((pieces) => Buffer.concat(pieces));

function bytes(): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ maxLength: 20 }).map((array) => Buffer.from(array));
}

function inPieces(whole: Buffer, lengths: readonly number[]): Scan {
  // Names of its own: what was read before must not matter either.
  const scanner = new ExpositionScanner(new WantedNames(['vllm:num_requests_running', 'other']));
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    // Whoever hands over a piece may use its memory again.
    const piece = Uint8Array.from(whole.subarray(at, at + length));
    scanner.push(piece);
    piece.fill(0x22);
    at += length;
  }
  return scanner.end();
}

const shared = new WantedNames(['vllm:num_requests_running', 'other']);

const told = (scan: Scan): string => JSON.stringify({ ...scan, samples: [...scan.samples] });

/** Every number anywhere in a value. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === 'number') return [value];
  if (value instanceof Map) return [...value.values()].flatMap(numbersIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

describe('any bytes at all', () => {
  // Some thousands of lines; `npm run fuzz:metrics` reads millions, and compares them with another reader's.
  it('are read without a fault, alike in whatever pieces they come, into finite numbers', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(body, body, lengths, (one, other, pieces) => {
        for (const whole of [one, other])
          expect(told(inPieces(whole, pieces))).toBe(told(scanExposition(whole, shared)));
        const [before, after] = [one, other].map((whole) => readingOf(scanExposition(whole, WANTED), vllmMetrics));
        if (!before || !after) throw new Error('two bodies make two readings');
        const numbers = numbersIn([before, ratesBetween(before, after, 1_000)]);
        expect(numbers.filter((value) => !Number.isFinite(value))).toEqual([]);
        for (const count of [before.running, before.promptTokens, before.finishedTotal])
          expect(count ?? 0).toBeGreaterThanOrEqual(0);
        expect(before.kvCacheUsage?.max ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 400 },
    );
  });
});
