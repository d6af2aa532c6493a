import { MAX_DEPTH } from '@davit/contracts';
import { digestOf } from '@davit/domain';

/**
 * SHA-256 of what an intent asks for, whatever the order of its keys. Nesting beyond what any intent may have is cut, so
 * that hostile input has a digest too.
 */
export const contentDigest = (verb: string, content: unknown): string => digestOf([verb, trimmed(content, MAX_DEPTH)]);

function trimmed(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return 'nested too deeply';
  if (Array.isArray(value)) return value.map((member) => trimmed(member, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, trimmed(member, depth - 1)]));
}
