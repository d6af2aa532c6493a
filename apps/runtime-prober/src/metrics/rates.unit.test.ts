import { describe, expect, it } from '@jest/globals';
import { vllmMetrics } from '../engines/vllm/metrics.js';
import { sglangMetrics } from '../engines/sglang/metrics.js';
import { scanExposition } from '../exposition/scanner.js';
import { type EngineMetrics, wantedNames } from './names.js';
import { ratesBetween } from './rates.js';
import { type EngineReading, readingOf } from './reading.js';

const reading = (body: string, metrics: EngineMetrics = vllmMetrics, model?: string): EngineReading =>
  readingOf(scanExposition(Buffer.from(body), wantedNames(metrics)), metrics, model);

const engine = (name: string, prompt: number, generated: number): string =>
  `vllm:prompt_tokens_total{engine="${name}"} ${prompt}\nvllm:generation_tokens_total{engine="${name}"} ${generated}\n`;

const times = (name: string, buckets: readonly number[], sum: number): string => {
  const bounds = ['0.1', '1', '+Inf'];
  const lines = buckets.map(
    (count, index) => `vllm:time_to_first_token_seconds_bucket{engine="${name}",le="${bounds[index]}"} ${count}\n`,
  );
  const count = buckets.at(-1) ?? 0;
  return `${lines.join('')}vllm:time_to_first_token_seconds_sum{engine="${name}"} ${sum}\nvllm:time_to_first_token_seconds_count{engine="${name}"} ${count}\n`;
};

describe('rates between two readings', () => {
  it('are what the counters of all engines grew by, each second', () => {
    const rates = ratesBetween(
      reading(engine('0', 100, 10) + engine('1', 5, 5)),
      reading(engine('0', 200, 30) + engine('1', 25, 5)),
      10_000,
    );
    expect(rates).toMatchObject({
      promptTokensPerSecond: 12,
      generationTokensPerSecond: 2,
      requestsPerSecond: null,
      restarted: false,
    });
  });

  it('count an engine that began anew from zero, and the others from before', () => {
    const rates = ratesBetween(
      reading(engine('0', 1_000, 10) + engine('1', 100, 100)),
      reading(engine('0', 30, 20) + engine('1', 200, 100)),
      10_000,
    );
    // Engine 0 has more generation tokens than before, and all of them are new.
    expect(rates).toMatchObject({ promptTokensPerSecond: 13, generationTokensPerSecond: 2, restarted: true });
  });

  it('do not take an engine that went for a restart of the server', () => {
    const rates = ratesBetween(
      reading(engine('0', 1_000, 10) + engine('1', 9_000, 100)),
      reading(engine('0', 1_100, 10)),
      10_000,
    );
    expect(rates).toMatchObject({ promptTokensPerSecond: 10, generationTokensPerSecond: 0, restarted: false });
  });

  it('count all of an engine that came', () => {
    const rates = ratesBetween(
      reading(engine('0', 1_000, 10)),
      reading(engine('0', 1_000, 10) + engine('1', 50, 0)),
      10_000,
    );
    expect(rates).toMatchObject({ promptTokensPerSecond: 5, restarted: false });
  });

  it('are unknown where one of the readings does not say, and in no time', () => {
    expect(ratesBetween(reading(''), reading(engine('0', 5, 5)), 1_000)).toMatchObject({ promptTokensPerSecond: null });
    expect(ratesBetween(reading(engine('0', 5, 5)), reading(''), 1_000)).toMatchObject({ promptTokensPerSecond: null });
    expect(ratesBetween(reading(engine('0', 5, 5)), reading(engine('0', 9, 9)), 0)).toMatchObject({
      promptTokensPerSecond: null,
    });
  });

  it('tell the latency of the requests in between, not of all', () => {
    const rates = ratesBetween(
      reading(times('0', [100, 100, 100], 5)),
      reading(times('0', [100, 110, 110], 10)),
      10_000,
    );
    expect(rates.firstTokenSeconds?.mean).toBeCloseTo(0.5, 12);
    expect(rates.firstTokenSeconds?.p50).toBeCloseTo(0.55, 12);
    const none = ratesBetween(reading(times('0', [1, 1, 1], 5)), reading(times('0', [1, 1, 1], 5)), 10_000);
    expect(none.firstTokenSeconds).toEqual({ mean: null, p50: null, p95: null, p99: null });
  });

  it('tell the latency of an engine that began anew by all that it has observed', () => {
    const rates = ratesBetween(reading(times('0', [100, 100, 100], 5)), reading(times('0', [4, 4, 4], 0.2)), 10_000);
    expect(rates).toMatchObject({ restarted: true, firstTokenSeconds: { p50: 0.05 } });
    expect(rates.firstTokenSeconds?.mean).toBeCloseTo(0.05, 12);
  });

  it('count requests by whatever the engine counts', () => {
    const done = (stop: number, abort: number): string =>
      `vllm:request_success_total{finished_reason="stop"} ${stop}\nvllm:request_success_total{finished_reason="abort"} ${abort}\n`;
    expect(ratesBetween(reading(done(1, 0)), reading(done(5, 6)), 10_000)).toMatchObject({ requestsPerSecond: 1 });
    const came = (count: number): EngineReading => reading(`sglang:num_requests_total ${count}\n`, sglangMetrics);
    expect(ratesBetween(came(10), came(40), 10_000)).toMatchObject({ requestsPerSecond: 3 });
  });
});

describe('a reading', () => {
  it('takes the largest of what several processes and ranks wrote, and adds up engines', () => {
    expect(
      reading(
        'vllm:kv_cache_usage_perc{engine="0",pid="7"} 0.1\nvllm:kv_cache_usage_perc{pid="8",engine="0"} 0.5\nvllm:kv_cache_usage_perc{engine="1"} 0.3\n',
      ).kvCacheUsage,
    ).toEqual({ max: 0.5, mean: 0.4 });
    const ranks = ['0', '1'].flatMap((dp) =>
      ['0', '1'].map((tp) => `sglang:num_running_reqs{dp_rank="${dp}",tp_rank="${tp}"} ${3 + Number(tp)}\n`),
    );
    expect(reading(ranks.join(''), sglangMetrics)).toMatchObject({ running: 8, engines: ['0', '1'] });
  });

  it('takes the best name in each engine, colon spellings before others', () => {
    const body =
      'vllm:gpu_cache_usage_perc{engine="0"} 0.9\nvllm:kv_cache_usage_perc{engine="0"} 0.2\nvllm_kv_cache_usage_perc{engine="0"} 0.7\nray_vllm_num_requests_running{engine="0",ReplicaId="x"} 3\nvllm:gpu_cache_usage_perc{engine="1"} 0.4\n';
    expect(reading(body)).toMatchObject({ kvCacheUsage: { max: 0.4 }, running: 3 });
  });

  it('takes sum and count of a time from one name, though the other is there', () => {
    const body =
      'vllm:inter_token_latency_seconds_sum 4\nvllm:time_per_output_token_seconds_sum 1\nvllm:time_per_output_token_seconds_count 10\n';
    expect(reading(body).interTokenSeconds).toMatchObject({ sum: 1, count: 10, mean: 0.1 });
  });

  it('is of one model where the caller knows it; an alias means the only model there', () => {
    const two = 'vllm:num_requests_running{model_name="a"} 1\nvllm:num_requests_running{model_name="b"} 2\n';
    const facts = 'vllm:cache_config_info{engine="0",block_size="16",num_gpu_blocks="9"} 1\n';
    expect(reading(two)).toMatchObject({ running: 3 });
    expect(reading(two + facts, vllmMetrics, 'b')).toMatchObject({
      running: 2,
      cache: { 0: { blockSize: 16, gpuBlocks: 9 } },
    });
    expect(reading(two, vllmMetrics, 'c')).toMatchObject({ running: null });
    expect(reading('vllm:num_requests_running{model_name="a"} 1\n', vllmMetrics, 'alias')).toMatchObject({
      running: 1,
    });
    expect(reading('vllm:num_requests_running 1\n', vllmMetrics, 'alias')).toMatchObject({ running: 1 });
  });

  it('says nothing where a sum is too large to be a number', () => {
    const body = 'vllm:prompt_tokens_total{engine="0"} 1.7e308\nvllm:prompt_tokens_total{engine="1"} 1.7e308\n';
    expect(reading(body)).toMatchObject({ promptTokens: null, scrape: { outOfRange: 0 } });
  });
});
