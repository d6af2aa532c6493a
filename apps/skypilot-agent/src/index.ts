export { skypilotAgentControllers, type SkypilotAgentParts } from './controllers.js';
export { directBackend } from './direct/backend.js';
export { skyBackend, type SkyParts } from './sky/backend.js';
export type { SecretSource } from './sky/secrets.js';
export { DEFAULT_SKY_SETTINGS, DEFAULT_SKY_TIMEOUTS, type SkySettings, skyUserIdOf } from './sky/settings.js';
export { type TaskFile, type TaskFiles, taskFilesIn } from './sky/task-files.js';
