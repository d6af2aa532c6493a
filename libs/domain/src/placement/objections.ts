import type { Objection } from './ranking.js';

/** Most candidates have nothing against them, and thousands share that. */
export const NO_OBJECTIONS: readonly Objection[] = [];

/** Both lists, one after the other; a new one only where both have something to say. */
export function joined(before: readonly Objection[], after: readonly Objection[]): readonly Objection[] {
  if (after.length === 0) return before;
  return before.length === 0 ? after : before.concat(after);
}
