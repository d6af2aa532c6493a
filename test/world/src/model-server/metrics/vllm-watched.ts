import { type Sleep } from '../sleep.js';
import { type VllmFamilies } from './vllm-families.js';

const TIERS = ['device', 'host', 'p2p', 'disk', 'external_unspecified'] as const;
const LIMITS = ['max_num_queued_reqs', 'max_num_queued_tokens'] as const;

/** Families of the release that was watched that the releases known from their sources lack, or have on demand only. */
export function watchedFamilies(families: VllmFamilies, sleep: Sleep): void {
  for (const [name, help] of [
    ['flops', 'Operations, as estimated.'],
    ['read_bytes', 'Bytes read from memory, as estimated.'],
    ['write_bytes', 'Bytes written to memory, as estimated.'],
  ] as const)
    families.counter(`estimated_${name}_per_gpu`, help, () => 0);
  const byTier = ['prompt_tokens_cached_by_source', 'source', 'Prompt tokens found, by tier of the cache.'] as const;
  families.split('counter', byTier, TIERS, () => 0);
  families.histogram('request_num_preemptions', 'Preemptions of each request.', ({ preemptions }) => preemptions);
  families.histogram(
    'request_prefill_kv_computed_tokens',
    'Prompt tokens of each request that were in no cache.',
    ({ prompts }) => prompts,
  );
  sleepOperations(families, sleep);
  // The front end counts these, which knows no engines.
  const [first] = families.engines;
  const model = first?.labels['model_name'] ?? '';
  families.out.counter(
    'vllm:admission_rejections',
    'Requests turned away by a limit of the queue.',
    LIMITS.map((reason) => [{ model_name: model, reason }, 0]),
  );
}

/** There from the first time that the server is put to sleep or woken. */
function sleepOperations({ out }: VllmFamilies, { operations }: Sleep): void {
  const done = (['sleep', 'wake'] as const).filter((operation) => operations[operation].count > 0);
  const seconds = done.map((operation) => [{ operation }, operations[operation]] as const);
  out.histogram('vllm:sleep_mode_operation_duration_seconds', 'Time to sleep or to wake.', seconds);
  const inFlight = done.map((operation) => [{ operation }, 0] as const);
  out.gauge('vllm:sleep_mode_operations_in_flight', 'Sleeping or waking at present.', inFlight);
}
