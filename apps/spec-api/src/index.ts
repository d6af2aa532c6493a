export type { Asking, View, ViewedLog } from './asking/asking.js';
export { LOCAL_PRINCIPAL, type Principal } from './asking/principal.js';
export { type ViewPorts, Views } from './asking/views.js';
export { Explainer, type ExplainerPorts, type StoryPage } from './explain/explainer.js';
export { IntentHandler, type IntentHandlerPorts } from './intents/intent-handler.js';
export type { IntentOrigin } from './intents/intent.js';
export { NOTHING_KNOWN_YET } from './plan/known.js';
export { type PlanInput, plan } from './plan/plan.js';
export { PlanController } from './plan/plan.controller.js';
