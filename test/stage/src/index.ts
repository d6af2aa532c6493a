export * from './life.js';
export * from './stage.js';
export * from './strike.js';
export * from './tap.js';
