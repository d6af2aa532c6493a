export * from './demo.js';
export * from './log-reader.js';
export * from './pace.js';
export * from './report.js';
export * from './scenario.js';
export * from './wait-for.js';
export * from './world-client.js';
