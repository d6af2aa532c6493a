export { IntentHandler, type IntentHandlerPorts } from './intents/intent-handler.js';
export type { IntentOrigin } from './intents/intent.js';
