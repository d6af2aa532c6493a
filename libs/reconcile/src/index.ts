export * from './control-loop.js';
export * from './controller.js';
export * from './queue/stats.js';
export * from './queue/work-queue.js';
export type { LeaseStats } from './lease-keeper.js';
