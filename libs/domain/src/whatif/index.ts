export { SAME_START_MS } from './free-slot.js';
export { type RealDecision, decidedAtMs } from './in-step.js';
export { Replay } from './replay.js';
export type * from './result.js';
export { ASSUMED_READY_MS, type Policy, type ReplayOptions } from './scenes.js';
