import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { engineOf } from '../engines/registry.js';
import { readLoad } from './load.js';
import type { EngineMetrics } from './names.js';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../test/fixtures/engine-metrics/${name}`, import.meta.url), 'utf8');
const metricsOf = (engine: 'vllm' | 'sglang' | 'tgi' | 'llamacpp'): EngineMetrics => {
  const { metrics } = engineOf({ engine });
  if (!metrics) throw new Error(`${engine} has no metrics`);
  return metrics;
};
const vllm = metricsOf('vllm');

describe('load of vLLM from its metrics', () => {
  it.each(['stats-disabled.prom', 'empty.prom', 'edge-truncated-value.prom', 'edge-truncated-label.prom'])(
    '%s says nothing, which is not zero',
    (name) => {
      expect(readLoad(fixture(name), vllm)).toMatchObject({
        running: null,
        waiting: null,
        kvCacheUsage: null,
        progress: null,
      });
    },
  );

  it('keeps the newest of repeated series', () => {
    const line = (value: number, time: string): string => `vllm:num_requests_running{engine="0"} ${value}${time}\n`;
    expect(readLoad(line(1, ' 5') + line(2, ' 9') + line(3, '') + line(4, ' 9'), vllm).running).toBe(2);
  });

  it('takes rows that differ only in the writing process as one', () => {
    const body = 'vllm:num_requests_running{engine="0",pid="1"} 3\nvllm:num_requests_running{engine="0",pid="2"} 5\n';
    expect(readLoad(body, vllm).running).toBe(5);
  });

  it('reads names that were written with underscores', () => {
    expect(readLoad('vllm_num_requests_running 4\nray_vllm_num_requests_waiting 2\n', vllm)).toMatchObject({
      running: 4,
      waiting: 2,
    });
  });

  it('knows no name by likeness', () => {
    const body =
      'vllm:num_requests_running_total 4\nvllm:kv_offload_cpu_cache_usage_perc 0.5\nxvllm:num_requests_waiting 1\n';
    expect(readLoad(body, vllm)).toMatchObject({ running: null, waiting: null, kvCacheUsage: null });
  });
});

describe('any text at all', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'vllm:num_requests_running',
      '{',
      '}',
      'engine="0"',
      '"',
      '\\',
      ' ',
      '\n',
      '\r\n',
      '#',
      '# EOF',
      '1e400',
      '-5',
      'NaN',
      '0x1',
      '7.',
    ),
  );
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

  it('is read without a fault, into finite numbers that are not negative, or into null', () => {
    fc.assert(
      fc.property(text, (body) => {
        const { running, waiting, kvCacheUsage } = readLoad(body, vllm);
        for (const value of [running, waiting, kvCacheUsage]) {
          expect(value === null || (Number.isFinite(value) && value >= 0)).toBe(true);
        }
        expect(kvCacheUsage ?? 0).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });

  it('without a sample of a quantity gives null for it, never zero', () => {
    fc.assert(
      fc.property(text, (body) => {
        fc.pre(!body.includes('num_requests_waiting'));
        expect(readLoad(body, vllm).waiting).toBeNull();
      }),
    );
  });
});
