export { SAME_START_MS } from './free-slot.js';
export { ASSUMED_READY_MS, type Policy, Replay, type ReplayOptions } from './replay.js';
export type * from './result.js';
