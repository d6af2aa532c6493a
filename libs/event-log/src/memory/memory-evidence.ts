import type { EvidenceKind } from '@davit/contracts';
import { read, written } from '../evidence/packing.js';
import { type EvidenceStore, InvalidEvidenceError, type KeptEvidence } from '../evidence/store.js';

/** Evidence in memory; the same rules as `PostgresEvidence`. It uses no thread of its own: whoever moves the clock waits for it. */
export class MemoryEvidence implements EvidenceStore {
  private readonly rows = new Map<string, { readonly kind: string; readonly text: string }>();

  put<Kind extends EvidenceKind>(kind: Kind, value: unknown): Promise<KeptEvidence<Kind>> {
    return new Promise((resolve) => {
      const { kept, text } = written(kind, value);
      const before = this.rows.get(kept.digest);
      if (before && before.kind !== kind) throw new InvalidEvidenceError(kind, `it is kept as ${before.kind}`);
      if (!before) this.rows.set(kept.digest, { kind, text });
      resolve(kept);
    });
  }

  get(digest: string): Promise<KeptEvidence | undefined> {
    return new Promise((resolve) => {
      const row = this.rows.get(digest);
      resolve(row && read(digest, row.kind, row.text));
    });
  }
}
