export { lifeProjection } from './life-projection.js';
export { type RebuildFigures, type RebuildOptions, measureRebuild } from './measure-rebuild.js';
export { appendReplicaLives } from './replica-life.js';
