export * from './attempt.js';
export * from './orders.js';
export * from './state.js';
export * from './target.js';
