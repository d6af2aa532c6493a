import type { OperationDefinition } from './define.js';
import * as operations from './index.js';

const isOperation = (value: unknown): value is OperationDefinition =>
  typeof value === 'object' && value !== null && 'responses' in value && 'path' in value;

/** Every operation there is, in the order of paths. */
export const OPERATIONS: readonly OperationDefinition[] = Object.values<unknown>(operations)
  .filter(isOperation)
  .toSorted((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1));
