import type { DocumentRef } from './projection.js';

/** One text per document, for use as a map key. Kinds never hold a line break. */
export const refId = (ref: DocumentRef): string => `${ref.kind}\n${ref.key}`;

/** Order of kind, then key, by code units: the order of `COLLATE "C"` for the characters that names are made of. */
export function compareRefs(left: DocumentRef, right: DocumentRef): number {
  return compareText(left.kind, right.kind) || compareText(left.key, right.key);
}

export const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
