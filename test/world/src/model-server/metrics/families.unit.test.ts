import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type ModelServerConfig } from '../config.js';
import { type Profile } from '../profiles.js';
import { CHAT, samplesOf, TestServer } from '../test-server.js';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../../../fixtures/engine-metrics/${name}.prom`, import.meta.url), 'utf8');

/** Name and label names of every series, without those of the bounds of buckets. */
function shapesOf(body: string): ReadonlySet<string> {
  return new Set(
    samplesOf(body).map(([series]) => {
      const [, name = '', labels = ''] = /^([^{]+)(?:\{(.*)\})?$/s.exec(series) ?? [];
      const names = [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label = '']) => label).sort();
      return `${name}{${names.join(',')}}`;
    }),
  );
}

const BY_MODEL = '{model_name}';
const BY_ENGINE = '{engine,model_name}';
const histogram = (name: string, labels: string): readonly string[] => [
  `${name}_bucket${labels.replace('{', '{le,').replace('{le,engine', '{engine,le')}`,
  `${name}_count${labels}`,
  `${name}_sum${labels}`,
];
const vllmHistograms = (labels: string, ...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => histogram(`vllm:${name}`, labels));
const created = (names: readonly string[]): readonly string[] =>
  names.map((name) => `vllm:${name}_created${BY_ENGINE}`);

const PYTHON_PROCESS = [
  'python_gc_objects_collected_total{generation}',
  'python_info{implementation,major,minor,patchlevel,version}',
  'process_resident_memory_bytes{}',
  'process_start_time_seconds{}',
  'http_requests_total{handler,method,status}',
];
const REQUEST_TIMES = ['request_inference_time_seconds', 'request_prefill_time_seconds', 'request_decode_time_seconds'];
const REQUEST_SIZES = [
  'request_prompt_tokens',
  'request_generation_tokens',
  'request_max_num_generation_tokens',
  'request_params_max_tokens',
  'request_params_n',
];
const LORA = 'vllm:lora_requests_info{max_lora,running_lora_adapters,waiting_lora_adapters}';
const NEW_CACHE_CONFIG =
  'vllm:cache_config_info{block_size,cache_dtype,enable_prefix_caching,engine,gpu_memory_utilization,' +
  'kv_cache_max_concurrency,kv_cache_size_tokens,num_gpu_blocks,prefix_caching_hash_algo}';

interface Case {
  readonly profile: Profile;
  readonly like: string;
  readonly config?: Partial<ModelServerConfig>;
  /** What real servers of this kind publish besides, as their sources have it; the fixture is an excerpt. */
  readonly beyond: readonly string[];
}

const CASES: readonly Case[] = [
  {
    profile: 'vllm-v0',
    like: 'v0-0.6.6',
    beyond: [
      ...PYTHON_PROCESS,
      `vllm:tokens_total${BY_MODEL}`,
      ...vllmHistograms(BY_MODEL, ...REQUEST_TIMES, ...REQUEST_SIZES),
    ],
  },
  {
    profile: 'vllm-transition',
    like: 'v1-transition-aliases',
    beyond: [
      ...PYTHON_PROCESS,
      LORA,
      NEW_CACHE_CONFIG,
      ...['num_preemptions', 'prompt_tokens', 'generation_tokens'].map((name) => `vllm:${name}_total${BY_ENGINE}`),
      'vllm:request_success_total{engine,finished_reason,model_name}',
      ...vllmHistograms(
        BY_ENGINE,
        ...['time_per_output_token_seconds', 'inter_token_latency_seconds', 'iteration_tokens_total'],
        ...['time_to_first_token_seconds', 'e2e_request_latency_seconds', 'request_queue_time_seconds'],
        ...[...REQUEST_TIMES, ...REQUEST_SIZES],
      ),
    ],
  },
  {
    profile: 'vllm-newest',
    like: 'v1-newest-dp2',
    config: { dataParallel: 2 },
    beyond: [
      ...PYTHON_PROCESS,
      LORA,
      ...vllmHistograms(BY_ENGINE, ...REQUEST_TIMES, ...REQUEST_SIZES),
      ...created([
        ...['iteration_tokens_total', 'time_to_first_token_seconds', 'inter_token_latency_seconds'],
        ...['request_time_per_output_token_seconds', 'e2e_request_latency_seconds', 'request_queue_time_seconds'],
        ...[...REQUEST_TIMES, ...REQUEST_SIZES],
      ]),
    ],
  },
  {
    profile: 'vllm-rust',
    like: 'v1-newest-rust-openmetrics',
    beyond: ['vllm:lora_requests_info{running_lora_adapters,waiting_lora_adapters}'],
  },
  {
    profile: 'sglang',
    like: 'other-sglang',
    beyond: [
      ...[
        ...['num_grammar_queue_reqs', 'num_paused_reqs', 'num_retracted_reqs', 'num_used_tokens'],
        ...['max_total_num_tokens', 'gen_throughput', 'utilization'],
      ].map((name) => `sglang:${name}{engine_type,model_name,moe_ep_rank,pp_rank,tp_rank}`),
      'sglang:cache_config_info{model_name,num_pages,page_size}',
      'sglang:cached_tokens_total{cache_source,model_name}',
      ...[
        ...['time_to_first_token_seconds', 'inter_token_latency_seconds'],
        ...['e2e_request_latency_seconds', 'queue_time_seconds'],
      ].flatMap((name) => histogram(`sglang:${name}`, BY_MODEL)),
    ],
  },
  {
    profile: 'tgi',
    like: 'other-tgi',
    beyond: [
      ...['duration', 'queue_duration', 'inference_duration'],
      ...['mean_time_per_token_duration', 'generated_tokens'],
    ].flatMap((name) => [`tgi_request_${name}_bucket{le}`, `tgi_request_${name}_count{}`, `tgi_request_${name}_sum{}`]),
  },
  {
    profile: 'llamacpp',
    like: 'other-llamacpp',
    beyond: ['prompt_seconds_total', 'tokens_predicted_seconds_total', 'n_decode_total'].map(
      (name) => `llamacpp:${name}{}`,
    ),
  },
];

/** A server that has served, failed and known adapters, so that every series there can be is there. */
async function seasoned(profile: Profile, config: Partial<ModelServerConfig> = {}): Promise<TestServer> {
  const server = TestServer.of(profile, config);
  server.setFaults({ kind: 'lora', adapters: ['sql'] });
  await server.ask('POST', '/v1/chat/completions', CHAT);
  await server.ask('POST', '/v1/chat/completions', { ...CHAT, model: 'sql' });
  await server.ask('POST', '/v1/chat/completions', { ...CHAT, max_tokens: 0 });
  return server;
}

describe('the metrics of each kind of server', () => {
  it.each(CASES)('$profile publishes the families and labels of $like', async ({ profile, like, config, beyond }) => {
    const { body } = await (await seasoned(profile, config)).ask('GET', '/metrics');
    const [ours, theirs] = [shapesOf(body), shapesOf(fixture(like))];
    expect([...theirs].filter((shape) => !ours.has(shape))).toEqual([]);
    expect([...ours].filter((shape) => !theirs.has(shape)).sort()).toEqual(
      beyond.filter((shape) => !theirs.has(shape)).sort(),
    );
  });

  it.each(CASES)('$profile declares the types of $like, each family once', async ({ profile, like, config }) => {
    const types = (body: string): string[] => body.split('\n').filter((line) => line.startsWith('# TYPE'));
    const { body } = await (await seasoned(profile, config)).ask('GET', '/metrics');
    expect(types(body)).toEqual(expect.arrayContaining(types(fixture(like))));
    expect(new Set(types(body)).size).toBe(types(body).length);
  });

  it.each(CASES)('$profile keeps the sum of every histogram in its last bucket', async ({ profile, config }) => {
    const server = await seasoned(profile, config);
    server.believe({ running: 3, tokensPerSecond: 100, tokensPerRequest: 10 });
    await server.clock.advance(10_000);
    const metrics = await server.metrics();
    const lastBuckets = [...metrics].filter(([series]) => series.includes('le="+Inf"'));
    for (const [series, value] of lastBuckets) {
      const count = series
        .replace('_bucket', '_count')
        .replace(/,?le="\+Inf",?/, (cut) => (cut.startsWith(',') && cut.endsWith(',') ? ',' : ''));
      expect([series, metrics.get(count.replace('{}', ''))]).toEqual([series, value]);
    }
    expect(lastBuckets.length > 0).toBe(profile !== 'llamacpp');
  });

  it('writes OpenMetrics behind the Rust front end: whole numbers bare, labels as declared, an end mark', async () => {
    const { body, headers } = await (await seasoned('vllm-rust')).ask('GET', '/metrics');
    expect(headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(body).toContain('\nvllm:num_requests_running{model_name="m",engine="0"} 0\n');
    expect(body).toContain('# TYPE vllm:generation_tokens counter\nvllm:generation_tokens_total{');
    expect(body).toContain('\nvllm:time_to_first_token_seconds_bucket{le="0.02",model_name="m",engine="0"} 2\n');
    expect(body).toMatch(/\n# EOF\n$/);
  });

  it.each([
    ['vllm-v0', 'text/plain; version=0.0.4; charset=utf-8'],
    ['vllm-transition', 'text/plain; version=0.0.4; charset=utf-8'],
    ['vllm-newest', 'text/plain; version=1.0.0; charset=utf-8'],
    ['llamacpp', 'text/plain; version=0.0.4'],
  ] as const)('%s says %s', async (profile, contentType) => {
    expect((await TestServer.of(profile).ask('GET', '/metrics')).headers['content-type']).toBe(contentType);
  });

  it('tells the same fact under two names in the releases between', async () => {
    const server = TestServer.of('vllm-transition');
    server.believe({ running: 1, kvUsage: 0.25, tokensPerSecond: 50, promptTokens: 20, tokensPerRequest: 10 });
    await server.clock.advance(4_000);
    const metrics = await server.metrics();
    const of = (name: string): number | undefined => metrics.get(`vllm:${name}{engine="0",model_name="m"}`);
    expect([of('gpu_cache_usage_perc'), of('kv_cache_usage_perc')]).toEqual([0.25, 0.25]);
    expect(of('gpu_prefix_cache_queries_total')).toBe(of('prefix_cache_queries_total'));
    expect(of('time_per_output_token_seconds_count')).toBe(of('inter_token_latency_seconds_count'));
    expect(of('prefix_cache_queries_total')).toBe(400);
  });

  it('has one row of the cache for each process of the front end until 0.12, and the true one is among them', async () => {
    const server = TestServer.of('vllm-transition', { apiServers: 2 });
    void server.send('POST', '/v1/chat/completions', CHAT);
    await server.clock.advance(9);
    const rows = [...(await server.metrics())].filter(([series]) => series.startsWith('vllm:kv_cache_usage_perc'));
    expect(rows.map(([series]) => series)).toEqual([
      'vllm:kv_cache_usage_perc{engine="0",model_name="m",pid="100"}',
      'vllm:kv_cache_usage_perc{engine="0",model_name="m",pid="101"}',
    ]);
    expect(Math.max(...rows.map(([, usage]) => usage))).toBe(0.5);
    const newest = TestServer.of('vllm-newest', { version: '0.12.0', apiServers: 2 });
    expect([...(await newest.metrics()).keys()].filter((series) => series.includes('pid='))).toEqual([]);
  });

  it('shares work out over its engines', async () => {
    const server = TestServer.of('vllm-newest', { dataParallel: 2 });
    for (let sent = 0; sent < 5; sent += 1) void server.send('POST', '/v1/chat/completions', CHAT);
    await server.clock.advance(0);
    const metrics = await server.metrics();
    const of = (name: string, engine: string): number | undefined =>
      metrics.get(`vllm:${name}{engine="${engine}",model_name="m"}`);
    expect([of('num_requests_running', '0'), of('num_requests_running', '1')]).toEqual([2, 2]);
    expect([of('num_requests_waiting', '0'), of('num_requests_waiting', '1')]).toEqual([1, 0]);
  });

  it('has no counter of TGI before something was counted, and no number of llama.cpp for a rate of nothing', async () => {
    const tgi = await TestServer.of('tgi').ask('GET', '/metrics');
    expect(samplesOf(tgi.body).map(([series]) => series)).toEqual([
      ...['tgi_queue_size', 'tgi_batch_current_size', 'tgi_batch_current_max_tokens'],
    ]);
    const fresh = await TestServer.of('llamacpp').ask('GET', '/metrics');
    expect(fresh.body).toContain('llamacpp:predicted_tokens_seconds nan\n');
  });

  it.each([
    ['b6700', 'counter'],
    ['b10519', 'gauge'],
  ])('in build %s of llama.cpp calls the slots in use a %s', async (version, type) => {
    const { body } = await TestServer.of('llamacpp', { version }).ask('GET', '/metrics');
    expect(body).toContain(`# TYPE llamacpp:n_busy_slots_per_decode ${type}\n`);
  });
});
