export type { Accelerator, RunpodNames, VastNames } from './accelerator.js';
export * from './lookups.js';
export { ACCELERATORS } from './table.js';
