import type { EvidenceKind, EvidenceOf } from '@davit/contracts';

/** Evidence as it is kept. */
export interface KeptEvidence<Kind extends EvidenceKind = EvidenceKind> {
  readonly kind: Kind;
  /** SHA-256 of the canonical JSON of the value. */
  readonly digest: string;
  readonly value: EvidenceOf<Kind>;
}

/**
 * Evidence by its content, for what is too large for an event. It is put before the event that names its digest is appended,
 * so that no event names what is not there; a put that fails is followed by no event, and is repeated with the step.
 * Evidence is never changed and never deleted.
 */
export interface EvidenceStore {
  /**
   * Keeps what the schema of the kind allows of a value, and returns it with its digest. Putting it again changes nothing.
   *
   * @throws InvalidEvidenceError for what no repetition makes valid: a wrong field, too large, or kept as another kind
   * @throws EvidenceUnavailableError when it is not known to be kept: try again
   */
  put<Kind extends EvidenceKind>(kind: Kind, value: unknown): Promise<KeptEvidence<Kind>>;
  /**
   * Undefined for a digest that was never put.
   *
   * @throws CorruptEvidenceError when what is kept is no longer what was put
   * @throws EvidenceUnavailableError when the store does not answer
   */
  get(digest: string): Promise<KeptEvidence | undefined>;
}

/** Of the canonical JSON, before it is compressed. */
export const MAX_EVIDENCE_BYTES = 16 * 1024 * 1024;

/** A defect of the caller. Nothing was kept. */
export class InvalidEvidenceError extends Error {
  readonly code = 'invalid-evidence';
  constructor(kind: string, reason: string) {
    super(`evidence of kind ${kind} is not kept: ${reason}`);
    this.name = 'InvalidEvidenceError';
  }
}

/** The store did not take it, or did not say so: its disk is full, or the connection broke. Putting it again is safe. */
export class EvidenceUnavailableError extends Error {
  readonly code = 'evidence-unavailable';
  constructor(cause: unknown) {
    super(`the evidence store did not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'EvidenceUnavailableError';
  }
}

/** Changed by other hands than `put`, or by a failing disk. */
export class CorruptEvidenceError extends Error {
  readonly code = 'corrupt-evidence';
  constructor(digest: string, reason: string) {
    super(`evidence ${digest} is not what was put: ${reason}; restore log.evidence from a backup`);
    this.name = 'CorruptEvidenceError';
  }
}
