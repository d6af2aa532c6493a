export * from './main-job.js';
export * from './simulation.js';
