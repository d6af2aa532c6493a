import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { engineOf } from '../engines/registry.js';
import type { EngineMetrics } from '../engines/engine.js';
import { loadOf, readLoad, wantedNames } from './load.js';
import { measure } from './quantity.js';
import { scanMetrics } from './scan.js';

type Expected = {
  readonly running: number | null;
  readonly waiting: number | null;
  readonly kvCacheUsage?: { readonly max: number } | null;
  readonly promptTokens?: number | null;
  readonly generationTokens?: number | null;
  readonly scan: {
    readonly malformed: number;
    readonly nonFinite: number;
    readonly duplicates: number;
    readonly truncated: boolean;
  };
};

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');
const expected = JSON.parse(fixture('expected.json')) as Readonly<Record<string, Expected>>; // a golden file of ours

const metricsOf = (engine: 'vllm' | 'sglang' | 'tgi' | 'llamacpp'): EngineMetrics => {
  const { metrics } = engineOf({ engine });
  if (!metrics) throw new Error(`${engine} has no metrics`);
  return metrics;
};
const vllm = metricsOf('vllm');

describe('load of vLLM from its metrics', () => {
  const files = Object.entries(expected).filter(([name]) => !name.startsWith('other-'));
  it.each(files)('%s reads as the golden file says', (name, golden) => {
    const scan = scanMetrics(fixture(name), wantedNames(vllm));
    const load = loadOf(scan, vllm);
    expect({ running: load.running, waiting: load.waiting }).toEqual({
      running: golden.running,
      waiting: golden.waiting,
    });
    if (golden.kvCacheUsage) expect(load.kvCacheUsage).toBeCloseTo(golden.kvCacheUsage.max, 9);
    else expect(load.kvCacheUsage).toBeNull();
    const [prompt, generated] = vllm.progress.map((quantity) => measure(scan.samples, quantity, vllm.sameThing));
    expect([prompt, generated]).toEqual([golden.promptTokens ?? null, golden.generationTokens ?? null]);
    const { malformed, nonFinite, duplicates, truncated } = scan;
    expect({ malformed, nonFinite, duplicates, truncated }).toMatchObject({
      malformed: golden.scan.malformed,
      nonFinite: golden.scan.nonFinite,
      duplicates: golden.scan.duplicates,
      truncated: golden.scan.truncated,
    });
  });

  it.each(['stats-disabled.prom', 'empty.prom', 'edge-truncated-value.prom', 'edge-truncated-label.prom'])(
    '%s says nothing, which is not zero',
    (name) => {
      expect(readLoad(fixture(name), vllm)).toEqual({
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

describe('load of other engines', () => {
  it.each([
    ['sglang', 'other-sglang.prom'],
    ['tgi', 'other-tgi.prom'],
    ['llamacpp', 'other-llamacpp.prom'],
  ] as const)('%s', (engine, name) => {
    const golden = expected[name];
    expect(golden).toBeDefined();
    const load = readLoad(fixture(name), metricsOf(engine));
    expect(load).toMatchObject({
      running: golden?.running,
      waiting: golden?.waiting,
      kvCacheUsage: golden?.kvCacheUsage?.max ?? null,
    });
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

  it('is taken apart in linear time: a label of 4 MB and a line without an end', () => {
    const long = `vllm:num_requests_running{x="${'a'.repeat(4_000_000)}"} 1\nvllm:num_requests_waiting 4\n`;
    expect(readLoad(long, vllm)).toMatchObject({ running: 1, waiting: 4 });
    expect(scanMetrics('a'.repeat(1_000_000), wantedNames(vllm))).toMatchObject({ malformed: 0, truncated: true });
  });
});
