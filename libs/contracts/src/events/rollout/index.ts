import { changingEvents } from './changing.js';
import { endingEvents } from './ending.js';
import { provingEvents } from './proving.js';

/** Stream `rollout/<rolloutId>`, written by vast-serverless. */
export const rolloutEvents = [...provingEvents, ...changingEvents, ...endingEvents] as const;

export { type RolloutEndReason } from './ending.js';
export { MOST_BASELINE_SUMMARIES } from './shapes.js';
export type {
  OnTemplate,
  RolloutApproval,
  RolloutMoney,
  ScalingBounds,
  TemplateIdentity,
  WindowSummary,
  WorkerView,
} from './shapes.js';
