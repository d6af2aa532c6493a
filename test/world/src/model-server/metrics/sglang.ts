import { type ServerState } from '../state.js';
import { type EngineStats, type Gauges } from '../stats.js';
import { Exposition, python, type Labels } from './exposition.js';
import { Histogram } from './histogram.js';

const CACHE = { pageSize: 16, pages: 4096 };
/** Its metrics come from files that several processes share; such have no `_created`. */
const DIALECT = python({ created: false, padded: true, format: '0.0.4' });

/** What `GET /metrics` of an SGLang server answers: gauges of the scheduler by rank, counters of the front end by model. */
export function sgLangMetrics(state: ServerState): { readonly body: string; readonly contentType: string } {
  const { servedModelNames, root, dataParallel } = state.config;
  const out = new Exposition(DIALECT, state.startedAtMs / 1000);
  const books = state.books();
  const model = { model_name: servedModelNames[0] ?? root };
  const ranks = books.map((stats, rank) => ({
    labels: {
      ...{ ...model, engine_type: 'unified', moe_ep_rank: '0', pp_rank: '0', tp_rank: '0' },
      ...(dataParallel > 1 ? { dp_rank: String(rank) } : {}),
    } satisfies Labels,
    stats,
    gauges: state.gaugesOf(stats),
  }));
  const nowMs = state.clock.nowMs();
  const gauge = (name: string, help: string, of: (gauges: Gauges, stats: EngineStats) => number): void =>
    out.gauge(
      `sglang:${name}`,
      help,
      ranks.map(({ labels, stats, gauges }) => [labels, of(gauges, stats)]),
    );
  const counter = (name: string, help: string, of: (stats: EngineStats) => number, more: Labels = {}): void =>
    out.counter(`sglang:${name}`, help, [[{ ...model, ...more }, books.reduce((sum, stats) => sum + of(stats), 0)]]);
  const histogram = (name: string, help: string, of: (stats: EngineStats) => Histogram): void =>
    out.histogram(`sglang:${name}`, help, [[model, Histogram.sum(books.map(of))]]);
  const slots = CACHE.pageSize * CACHE.pages;
  gauge('num_running_reqs', 'Requests in the batch.', ({ running }) => running);
  gauge('num_queue_reqs', 'Requests in the queue.', ({ waiting }) => waiting);
  gauge('num_grammar_queue_reqs', 'Requests that wait for a grammar.', () => 0);
  gauge('num_paused_reqs', 'Requests that are paused.', () => 0);
  gauge('num_retracted_reqs', 'Requests that were retracted.', () => 0);
  gauge('token_usage', 'Cache in use, 0 to 1.', ({ kvUsage }) => kvUsage);
  gauge('num_used_tokens', 'Tokens in the cache.', ({ kvUsage }) => Math.round(kvUsage * slots));
  gauge('max_total_num_tokens', 'Tokens that the cache holds.', () => slots);
  gauge('gen_throughput', 'Decode speed.', (_, stats) => stats.generationSpeed(nowMs));
  gauge('cache_hit_rate', 'Share of the prefix found.', () => 0);
  gauge('utilization', 'Share of the batch in use.', ({ kvUsage }) => kvUsage);
  out.gauge('sglang:cache_config_info', 'Cache settings.', [
    [{ ...model, page_size: String(CACHE.pageSize), num_pages: String(CACHE.pages) }, 1],
  ]);
  counter('prompt_tokens', 'Prompt tokens.', ({ promptTokens }) => promptTokens);
  counter('generation_tokens', 'Tokens generated.', ({ generatedTokens }) => generatedTokens);
  counter('cached_tokens', 'Prompt tokens found in a cache.', () => 0, { cache_source: 'device' });
  counter('num_requests', 'Requests.', ({ requests }) => requests);
  counter('num_aborted_requests', 'Requests whose client left.', (stats) => stats.finishedWith('abort'));
  histogram('time_to_first_token_seconds', 'Time to first token.', ({ firstToken }) => firstToken);
  histogram('inter_token_latency_seconds', 'Time between tokens.', ({ interToken }) => interToken);
  histogram('e2e_request_latency_seconds', 'Whole requests.', ({ endToEnd }) => endToEnd);
  histogram('queue_time_seconds', 'Time in the queue.', ({ queue }) => queue);
  return { body: out.toString(), contentType: DIALECT.contentType };
}
