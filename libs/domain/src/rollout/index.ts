export { hourlyLimit } from './hourly-limit.js';
export { type Breach, type Raise, affordableRaise, onQueueBreach } from './breach.js';
export { isRolloutEvent } from './enter.js';
export { evolveRollout } from './evolve.js';
export { type RolloutIdentity, canaryKeyOf, parseRolloutId, rolloutIdOf } from './identity.js';
export { nextStep } from './next-step.js';
export { type Beginning, type Verified, begin, beginningOf, isHeldForEvidence } from './start.js';
export {
  type Canary,
  type RolloutPhase,
  type RolloutState,
  isCanaryOf,
  isOver as isRolloutOver,
  strays,
  touchedProduction,
} from './state.js';
export type { EffectStep, NextStep, RolloutView } from './step.js';
