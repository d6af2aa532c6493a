import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { engineOf } from '../engines/registry.js';
import { scanExposition } from '../exposition/scanner.js';
import type { Histogram } from './histogram.js';
import { type EngineMetrics, wantedNames } from './names.js';
import { readingOf } from './reading.js';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../../../../test/fixtures/engine-metrics/${name}`, import.meta.url));

/** Right answers; what a file does not name, its server did not say. */
type Golden = Readonly<Record<string, unknown>>;
const golden = JSON.parse(fixture('expected.json').toString()) as Readonly<Record<string, Golden>>; // a golden file of ours

const ENGINES = { 'other-sglang.prom': 'sglang', 'other-tgi.prom': 'tgi', 'other-llamacpp.prom': 'llamacpp' } as const;
const isOther = (name: string): name is keyof typeof ENGINES => name in ENGINES;

function metricsOf(name: string): EngineMetrics {
  const { metrics } = engineOf({ engine: isOther(name) ? ENGINES[name] : 'vllm' });
  if (!metrics) throw new Error(`no metrics for ${name}`);
  return metrics;
}

const told = (histogram: Histogram | null) =>
  histogram && { sum: histogram.sum, count: histogram.count, mean: histogram.mean };
const orNothing = (record: object): object | undefined => (Object.keys(record).length === 0 ? undefined : record);

/** Numbers that the golden file does not tell, though the servers do; the last test reads them. */
const FURTHER = ['hostCacheUsage', 'hostPrefixHitRate'];

/** A body as the golden file writes its answers; null and undefined are both "it did not say". */
function answers(name: string): Golden {
  const metrics = metricsOf(name);
  const reading = readingOf(scanExposition(fixture(name), wantedNames(metrics)), metrics);
  const { malformed, nonFinite, outOfRange, duplicates, truncated, series } = reading.scrape;
  const { queries, hits, hitRate } = reading.prefixCache;
  const gauge = queries === null ? hitRate : null;
  return {
    ...Object.fromEntries(Object.entries(reading.further).filter(([further]) => !FURTHER.includes(further))),
    running: reading.running,
    waiting: reading.waiting,
    swapped: reading.swapped,
    waitingByReason: reading.waitingByReason,
    kvCacheUsage: reading.kvCacheUsage,
    prefixCache: queries === null && hits === null ? null : { queries, hits, hitRate },
    ...(name === 'other-sglang.prom' ? { cacheHitRateGauge: gauge } : { prefixHitRateGauge: gauge }),
    promptTokens: reading.promptTokens,
    cachedPromptTokens: reading.cachedPromptTokens,
    generationTokens: reading.generationTokens,
    preemptions: reading.preemptions,
    finished: reading.finished,
    finishedTotal: reading.finishedTotal,
    requests: reading.requests,
    ttftSeconds: told(reading.firstTokenSeconds),
    interTokenSeconds: told(reading.interTokenSeconds),
    e2eSeconds: told(reading.endToEndSeconds),
    queueSeconds: told(reading.queueSeconds),
    engines: isOther(name) ? undefined : reading.engines,
    sleep: orNothing(reading.sleep),
    cache: orNothing(reading.cache),
    lora: reading.lora,
    scan: { malformed, nonFinite, outOfRange, duplicates, truncated },
    series,
  };
}

/** Numbers that were divided are compared within 1e-9, all others exactly. */
function same(actual: unknown, expected: unknown): boolean {
  if (typeof actual === 'number' && typeof expected === 'number') {
    return actual === expected || (!Number.isInteger(expected) && Math.abs(actual - expected) <= 1e-9);
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || !actual || !expected) {
    return (actual ?? null) === (expected ?? null);
  }
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return [...names].every((name) => same(Reflect.get(actual, name), Reflect.get(expected, name)));
}

describe('the metrics of every engine and release', () => {
  it.each(Object.keys(golden))('%s reads as its golden answers say, to the last quantity', (name) => {
    const actual = answers(name);
    const wanted = golden[name] ?? {};
    const names = new Set([...Object.keys(actual), ...Object.keys(wanted)]);
    const wrong = [...names]
      .filter((field) => !same(actual[field], wanted[field]))
      .map((field) => ({ field, actual: actual[field], wanted: wanted[field] }));
    expect(wrong).toEqual([]);
  });

  it('are all there', () => expect(Object.keys(golden).length).toBeGreaterThanOrEqual(18));

  it('tell of the cache of the host, and of a hit rate that is switched off nothing', () => {
    const metrics = metricsOf('v0-0.6.6.prom');
    const { further } = readingOf(scanExposition(fixture('v0-0.6.6.prom'), wantedNames(metrics)), metrics);
    expect(further).toEqual({ hostCacheUsage: 0.03125, hostPrefixHitRate: null });
  });
});
