import { isAtLeast } from '../profiles.js';
import { type ServerState } from '../state.js';
import { type EngineStats } from '../stats.js';
import { CPP_STREAM, Exposition } from './exposition.js';

/** What `GET /metrics` of a llama.cpp server answers. No labels at all; a rate of nothing in no time is `nan`. */
export function llamaCppMetrics(state: ServerState): { readonly body: string; readonly contentType: string } {
  const out = new Exposition(CPP_STREAM, state.startedAtMs / 1000);
  const books = state.books();
  const sum = (of: (stats: EngineStats) => number): number => books.reduce((total, stats) => total + of(stats), 0);
  const row = (name: string, type: string, help: string, value: number): void =>
    out.rows(`llamacpp:${name}`, help, type, [[{}, value]]);
  const promptTokens = sum((stats) => stats.promptTokens);
  const promptSeconds = sum((stats) => stats.prefillSeconds);
  const predicted = sum((stats) => stats.generatedTokens);
  const predictedSeconds = sum((stats) => stats.decodeSeconds);
  const decodes = sum((stats) => stats.decodes);
  row('prompt_tokens_total', 'counter', 'Prompt tokens processed.', promptTokens);
  row('prompt_seconds_total', 'counter', 'Time in prefill.', promptSeconds);
  row('tokens_predicted_total', 'counter', 'Tokens generated.', predicted);
  row('tokens_predicted_seconds_total', 'counter', 'Time in decode.', predictedSeconds);
  row('n_decode_total', 'counter', 'Passes over the batch.', decodes);
  row('n_tokens_max', 'counter', 'Longest sequence seen.', Math.max(...books.map((stats) => stats.longestSequence)));
  row('prompt_tokens_seconds', 'gauge', 'Prefill speed.', promptTokens / promptSeconds);
  row('predicted_tokens_seconds', 'gauge', 'Decode speed.', predicted / predictedSeconds);
  row(
    'requests_processing',
    'gauge',
    'Requests in slots.',
    sum((stats) => state.gaugesOf(stats).running),
  );
  row(
    'requests_deferred',
    'gauge',
    'Requests that wait.',
    sum((stats) => state.gaugesOf(stats).waiting),
  );
  const busy = decodes === 0 ? 0 : sum(({ busySlots }) => busySlots) / decodes;
  row('n_busy_slots_per_decode', busyType(state.config.version), 'Mean of slots in use.', busy);
  return { body: out.toString(), contentType: CPP_STREAM.contentType };
}

/** A counter at b6700, a gauge at b10519. Which build between them changed it is not known; this takes b10000. */
const busyType = (version: string): string => (isAtLeast(version, NEWER_BUILD) ? 'gauge' : 'counter');

export const NEWER_BUILD = 'b10000';
