export type { MirrorLimits } from './jetstream-mirror.js';
export { type MirrorNames, defaultMirrorNames } from './names.js';
export { natsPoke } from './poke.js';
export { Seniority } from './seniority.js';
export { LogRelay, type RelayOptions, type RelaySource } from './relay.js';
export { type RelayStats, relayLag } from './stats.js';
