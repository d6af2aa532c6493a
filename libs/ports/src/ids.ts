import { v7 } from 'uuid';

/** The only source of fresh identifiers. */
export interface Ids {
  /** A time-ordered UUID (version 7). */
  uuid(): string;
}

export const systemIds: Ids = { uuid: () => v7() };

/** Predictable identifiers for tests and simulation: same order of calls, same ids. */
export function sequentialIds(namespace = 0): Ids {
  let counter = 0;
  const prefix = namespace.toString(16).padStart(8, '0');
  return { uuid: () => `${prefix}-0000-7000-8000-${(++counter).toString(16).padStart(12, '0')}` };
}
