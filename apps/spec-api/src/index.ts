export { Explainer, type ExplainerPorts, type StoryPage } from './explain/explainer.js';
export { IntentHandler, type IntentHandlerPorts } from './intents/intent-handler.js';
export type { IntentOrigin } from './intents/intent.js';
export { NOTHING_KNOWN_YET } from './plan/known.js';
export { type PlanInput, plan } from './plan/plan.js';
export { PlanController } from './plan/plan.controller.js';
