export { mustHoldPublishedEvents } from './database-events.js';
export * from './database.js';
export * from './eventually.js';
export * from './ledger.js';
export * from './nats-broker.js';
export * from './world-process.js';
export { PROGRAM_PATH, haveProgram, programFile } from './programs.js';
