import type { EvidenceKind } from '@davit/contracts';
import { type KeptEvidence, MemoryEvidence } from '@davit/event-log';

/** Evidence in memory of which all that was ever kept can be read. */
export class NotedEvidence extends MemoryEvidence {
  readonly kept: KeptEvidence[] = [];

  override async put<Kind extends EvidenceKind>(kind: Kind, value: unknown): Promise<KeptEvidence<Kind>> {
    const kept = await super.put(kind, value);
    this.kept.push(kept);
    return kept;
  }
}
