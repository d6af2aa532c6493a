import { describe, expect, it } from '@jest/globals';
import { CHAT, TestServer } from './test-server.js';
import { NO_TRAFFIC, shareOf, trafficFrom } from './traffic.js';

const named = (family: string, labels = ''): string => `vllm:${family}{engine="0"${labels},model_name="m"}`;
const LOAD = { running: 4, waiting: 3, deferred: 2, tokensPerSecond: 40, promptTokens: 30, tokensPerRequest: 20 };

describe('a load that a server believes it has', () => {
  it('shows in its gauges, besides the requests that really come', async () => {
    const server = TestServer.of('vllm-newest');
    server.believe({ ...LOAD, kvUsage: 0.75 });
    void server.send('POST', '/v1/chat/completions', CHAT);
    await server.clock.advance(0);
    const metrics = await server.metrics();
    expect(metrics.get(named('num_requests_running'))).toBe(5);
    expect(metrics.get(named('num_requests_waiting'))).toBe(5);
    expect(metrics.get('vllm:num_requests_waiting_by_reason{engine="0",model_name="m",reason="capacity"}')).toBe(3);
    expect(metrics.get('vllm:num_requests_waiting_by_reason{engine="0",model_name="m",reason="deferred"}')).toBe(2);
    expect(metrics.get(named('kv_cache_usage_perc'))).toBe(0.75);
  });

  it('lets tokens flow, and every sum of them agrees', async () => {
    const server = TestServer.of('vllm-newest');
    server.believe(LOAD);
    await server.clock.advance(10_250);
    const metrics = await server.metrics();
    const of = (name: string): number => metrics.get(named(name)) ?? Number.NaN;
    expect(of('generation_tokens_total')).toBe(410);
    expect(of('prompt_tokens_total')).toBe(21 * 30);
    expect(metrics.get('vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"}')).toBe(20);
    expect(of('request_generation_tokens_sum')).toBe(400);
    expect(of('time_to_first_token_seconds_count')).toBe(21);
    expect(of('inter_token_latency_seconds_count')).toBe(410 - 21);
    expect(of('inter_token_latency_seconds_sum') / of('inter_token_latency_seconds_count')).toBeCloseTo(4 / 40, 9);
  });

  it('never lets a counter fall, however often it changes', async () => {
    const server = TestServer.of('vllm-newest');
    let before = new Map<string, number>();
    for (const tokensPerSecond of [17, 0, 250, 3, 90]) {
      server.believe({ ...LOAD, tokensPerSecond, tokensPerRequest: 7 });
      for (let look = 0; look < 5; look += 1) {
        await server.clock.advance(333);
        const now = await server.metrics();
        for (const [series, value] of now)
          if (/(_total|_count|_sum|_bucket)\{/.test(series) && value < (before.get(series) ?? 0))
            throw new Error(`${series} fell from ${before.get(series)} to ${value}`);
        before = now;
      }
    }
    expect(before.get(named('generation_tokens_total'))).toBeGreaterThan(500);
    expect(before.get(named('request_generation_tokens_count'))).toBeGreaterThan(70);
  });

  it('is seen by every kind of server in its own words', async () => {
    const cases = [
      ['vllm-v0', 'vllm:num_requests_running{model_name="m"}', 'vllm:num_requests_waiting{model_name="m"}'],
      [
        'vllm-rust',
        'vllm:num_requests_running{model_name="m",engine="0"}',
        'vllm:num_requests_waiting{model_name="m",engine="0"}',
      ],
      [
        'sglang',
        'sglang:num_running_reqs{engine_type="unified",model_name="m",moe_ep_rank="0",pp_rank="0",tp_rank="0"}',
        'sglang:num_queue_reqs{engine_type="unified",model_name="m",moe_ep_rank="0",pp_rank="0",tp_rank="0"}',
      ],
      ['tgi', 'tgi_batch_current_size', 'tgi_queue_size'],
      ['llamacpp', 'llamacpp:requests_processing', 'llamacpp:requests_deferred'],
    ] as const;
    for (const [profile, running, waiting] of cases) {
      const server = TestServer.of(profile);
      server.believe({ ...LOAD, deferred: 0 });
      const metrics = await server.metrics();
      expect([profile, metrics.get(running), metrics.get(waiting)]).toEqual([profile, 4, 3]);
    }
  });

  it('tells speeds of the last interval where a server has such', async () => {
    const server = TestServer.of('vllm-v0');
    server.believe(LOAD);
    await server.metrics();
    await server.clock.advance(10_000);
    expect((await server.metrics()).get('vllm:avg_generation_throughput_toks_per_s{model_name="m"}')).toBe(40);
  });

  it('is shared by the engines without loss', () => {
    const shares = [0, 1, 2].map((engine) => shareOf({ ...NO_TRAFFIC, ...LOAD }, engine, 3));
    expect(shares.map(({ running }) => running)).toEqual([2, 1, 1]);
    expect(shares.map(({ waiting }) => waiting)).toEqual([1, 1, 1]);
    expect(shares.map(({ deferred }) => deferred)).toEqual([1, 1, 0]);
  });
});

describe('reading a load', () => {
  it('fills in what is not said', () => {
    expect(trafficFrom({ running: 2 })).toEqual({ ...NO_TRAFFIC, running: 2 });
  });

  it.each([
    [undefined, 'a load must be an object'],
    [{ walking: 1 }, 'unknown field walking'],
    [{ running: -1 }, 'running must be a number of at least 0'],
    [{ running: 0.5 }, 'running must be a whole number'],
    [{ running: 'many' }, 'running must be a number of at least 0'],
    [{ kvUsage: 1.5 }, 'kvUsage must be at most 1'],
    [{ tokensPerRequest: 0 }, 'tokensPerRequest must be at least 1'],
  ])('refuses %j: %s', (load, why) => {
    expect(trafficFrom(load)).toEqual(expect.stringContaining(why));
  });
});
