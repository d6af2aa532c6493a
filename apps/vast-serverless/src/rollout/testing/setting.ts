import { externalKeyOf } from '@davit/domain';

export const KEY = 'default/qwen';
export const REPLICA = `${KEY}-1-0-1`;
export const ROLLOUT = `${KEY}-2-1`;
export const INSTALLATION = 'test';
export const IDENTITY = { deployment: KEY, revision: 1, ordinal: 0, incarnation: 1 };
export const EXTERNAL_KEY = externalKeyOf(IDENTITY, INSTALLATION);
export const INTENT = '00000000-0000-7000-8000-000000000001';
export const SERVED = 'qwen3-8b';
/** Stands in every prompt: no event, no evidence and no line of a log may hold it. */
export const PROMPT_CANARY = 'prompt-canary-51c7';

export const CANDIDATE = {
  name: 'candidate',
  image: 'vllm/vllm-openai',
  tag: 'v0.11.0',
  env: '-p 8000:8000 -e VLLM_MODEL=Qwen/Qwen3-8B-AWQ -e VLLM_ARGS="--served-model-name qwen3-8b --port 8000"',
  onstart: '',
  runtype: 'args',
  args_str: '',
  recommended_disk_space: 40,
};

export const TIMINGS = {
  ...{ lookMs: 500, steadyLookMs: 2_000, absenceSpacingMs: 2_000, visibilityMs: 3_000, launchMs: 0 },
  deleteRetryMs: 8_000,
};
export const PACE = {
  ...{ lookMs: 1_000, tickMs: 200, agreeingLooks: 3, requestDeadlineMs: 15_000, orphanedLoadMs: 5_000 },
  ...{ visibleMs: 3_000 },
};
