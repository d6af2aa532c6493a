import { z } from 'zod';
import { loadProfileEvidence, loadRunEvidence } from './load.js';
import { candidateEvidence, changeEvidence } from './proof.js';
import { baselineEvidence, verdictBundleEvidence } from './verdict.js';

/**
 * Evidence that is too large for events, by kind; an event names it by the SHA-256 of its canonical JSON. These schemas are an
 * allow-list: fields that they do not name are dropped before anything is kept, and no field takes a prompt, an answer or a key.
 */
export const evidenceSchemas = {
  'load-profile': loadProfileEvidence,
  'load-run': loadRunEvidence,
  candidate: candidateEvidence,
  baseline: baselineEvidence,
  change: changeEvidence,
  'verdict-bundle': verdictBundleEvidence,
} as const;

export type EvidenceKind = keyof typeof evidenceSchemas;
export type EvidenceOf<Kind extends EvidenceKind> = z.infer<(typeof evidenceSchemas)[Kind]>;

export const evidenceKind = z.enum(
  // The keys of an object literal are the keys of its type.
  Object.keys(evidenceSchemas) as [EvidenceKind, ...EvidenceKind[]],
);

export type EvidenceReading<Kind extends EvidenceKind> =
  | { readonly ok: true; readonly value: EvidenceOf<Kind> }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What of a value may be kept as evidence of that kind. Problems name paths and never quote what stood there. */
export function readEvidence<Kind extends EvidenceKind>(kind: Kind, value: unknown): EvidenceReading<Kind> {
  const parsed = evidenceSchemas[kind].safeParse(value);
  // A union indexed by its own key: the schema of this kind has parsed it.
  if (parsed.success) return { ok: true, value: parsed.data as EvidenceOf<Kind> };
  const told = parsed.error.issues.slice(0, 8);
  return { ok: false, problems: told.map(({ path, message }) => `${path.join('.') || 'value'}: ${message}`) };
}
