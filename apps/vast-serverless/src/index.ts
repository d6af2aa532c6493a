export { vastServerlessControllers, type VastServerlessParts } from './controllers.js';
export { vastBackend, type VastParts } from './vast/backend.js';
export { DEFAULT_VAST_SETTINGS, type VastSettings } from './vast/settings.js';
