export { vastServerlessControllers, type VastServerlessParts } from './controllers.js';
export { parsePrompts, type Prompt } from './load/prompts/prompt.js';
export { rolloutExpectation } from './rollout/expected.js';
export { DEFAULT_ROLLOUT_PACE, type RolloutPace } from './rollout/pace.js';
export type { RolloutParts } from './rollout/parts.js';
export { vastBackend, type VastParts } from './vast/backend.js';
export { VastClient } from './vast/client.js';
export { DEFAULT_VAST_SETTINGS, type VastSettings } from './vast/settings.js';
