export { Explainer, type ExplainerPorts, type StoryPage } from './explain/explainer.js';
export { IntentHandler, type IntentHandlerPorts } from './intents/intent-handler.js';
export type { IntentOrigin } from './intents/intent.js';
