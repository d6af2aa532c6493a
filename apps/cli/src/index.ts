export * from './client.js';
export * from './exit-codes.js';
export { run } from './run.js';
