import type { FieldProblem } from '../problem.js';
import { formatPath } from './field-path.js';

export const MAX_DEPTH = 32;
/** Control characters other than tab and line breaks, and halves of surrogate pairs: no store or program takes them. */
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\p{Surrogate}]/u;

interface Visit {
  readonly value: unknown;
  readonly path: readonly PropertyKey[];
}

/**
 * Mistakes of content that no schema sees: nesting so deep that it can only be an attack, names that mean something to
 * the language itself, and characters that cannot be stored. Walks without recursion and stops at the first of them.
 */
export function contentProblem(input: unknown): FieldProblem | undefined {
  const open: Visit[] = [{ value: input, path: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && NOT_TEXT.test(value)) return notText(path);
    if (typeof value !== 'object' || value === null) continue;
    if (path.length >= MAX_DEPTH) {
      return {
        path: formatPath(path.slice(0, 8)),
        message: `is nested more than ${MAX_DEPTH} levels deep`,
        remedy: 'Write it as the reference of the deployment specification shows.',
      };
    }
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      const memberPath = [...path, isList ? Number(key) : key];
      if (key === '__proto__') {
        return { path: formatPath(memberPath), message: 'is not a known key', remedy: 'Remove it.' };
      }
      if (!isList && NOT_TEXT.test(key)) return notText(memberPath);
      if (typeof member === 'string' || (typeof member === 'object' && member !== null)) {
        open.push({ value: member, path: memberPath });
      }
    }
  }
  return undefined;
}

const notText = (path: readonly PropertyKey[]): FieldProblem => ({
  path: formatPath(path),
  message: 'holds characters that are not text',
  remedy: 'Remove control characters and broken Unicode.',
});
