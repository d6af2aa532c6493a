export * from './capacity.js';
export * from './events.js';
export * from './explain.js';
export * from './fleet.js';
export * from './intents.js';
export * from './questions.js';
export * from './rollouts.js';
export * from './spend.js';
