import { describe, expect, it } from '@jest/globals';
import { vllmMetrics } from '../engines/vllm/metrics.js';
import { loadOf } from '../metrics/load.js';
import { wantedNames } from '../metrics/names.js';
import { readingOf } from '../metrics/reading.js';
import { ExpositionScanner, SCAN_LIMITS, type Scan, scanExposition } from './scanner.js';

const WANTED = wantedNames(vllmMetrics);
const UNLIMITED = { maxBytes: Number.POSITIVE_INFINITY, maxSeries: Number.POSITIVE_INFINITY };
const MIB = 1024 * 1024;

/** The body in pieces of so many bytes, as a network might hand them over; also how much of it was taken. */
function inPieces(body: Uint8Array, length: number, limits = SCAN_LIMITS): { scan: Scan; taken: number } {
  const scanner = new ExpositionScanner(WANTED, limits);
  let at = 0;
  while (at < body.length && scanner.push(body.subarray(at, at + length))) at += length;
  return { scan: scanner.end(), taken: at };
}

describe('huge bodies', () => {
  const useful =
    'vllm:num_requests_running{engine="0"} 6\nvllm:num_requests_waiting{engine="0"} 4\nvllm:kv_cache_usage_perc{engine="0"} 0.75\n';
  const long = Buffer.from(`vllm:cache_config_info{engine="0",x="${'a'.repeat(22 * MIB)}"} 1.0\n${useful}`);

  it('one label of 22 MiB is too large, and reading stops at the cap', () => {
    const { scan, taken } = inPieces(long, 64 * 1024);
    expect(scan.tooLarge).toBe(true);
    expect(scan.samples).toHaveLength(0);
    expect(taken).toBeLessThanOrEqual(SCAN_LIMITS.maxBytes);
    expect(loadOf(scan, vllmMetrics)).toMatchObject({ running: null, waiting: null, kvCacheUsage: null });
    expect(readingOf(scan, vllmMetrics)).toMatchObject({ running: null, scrape: { tooLarge: true } });
  });

  it('one label of 22 MiB with the cap lifted leaves the useful lines as they are', () => {
    for (const scan of [scanExposition(long, WANTED, UNLIMITED), inPieces(long, 64 * 1024, UNLIMITED).scan]) {
      expect(loadOf(scan, vllmMetrics)).toMatchObject({ running: 6, waiting: 4, kvCacheUsage: 0.75 });
    }
  });

  it('200 000 series of one family', () => {
    const line = (engine: number): string =>
      `vllm:request_success_total{engine="${engine}",finished_reason="stop",model_name="m"} 1\n`;
    const body = Buffer.from(Array.from({ length: 200_000 }, (_, engine) => line(engine)).join(''));
    expect(readingOf(scanExposition(body, WANTED, UNLIMITED), vllmMetrics).finished).toEqual({ stop: 200_000 });
    const capped = scanExposition(body, WANTED, { ...UNLIMITED, maxSeries: 1_000 });
    expect(capped.samples).toHaveLength(1_000);
    expect(capped).toMatchObject({ tooManySeries: true, series: 200_000 });
    expect(loadOf(capped, vllmMetrics).whole).toBeNull();
  });

  it('1 MiB without a line feed', () => {
    const reading = readingOf(scanExposition(Buffer.alloc(MIB, 'a'), WANTED), vllmMetrics);
    expect(reading).toMatchObject({
      running: null,
      waiting: null,
      scrape: { malformed: 0, truncated: true, series: 0 },
    });
  });
});
