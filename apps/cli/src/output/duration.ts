import { age } from './table.js';

/** `41m`, `2m 10s`; below a second in milliseconds. */
export const duration = (ms: number): string => (ms > 0 && ms < 1_000 ? `${ms}ms` : age(new Date(0).toISOString(), ms));
