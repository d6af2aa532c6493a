import type { RecordedEvent } from '@davit/contracts';
import { canonicalJson } from '../canonical-json.js';
import type { Document, DocumentRef, ProjectionDefinition, ProjectionStore, StoredDocument } from '../projection.js';
import { compareRefs, refId } from '../refs.js';

/** The meaning of a projection, one event at a time, with nothing shared with the code under test but the definition. */
export function plainFold(definition: ProjectionDefinition, events: readonly RecordedEvent[]): string[] {
  const rows = new Map<string, StoredDocument>();
  for (const event of events) {
    for (const ref of definition.refs(event)) {
      const before: Document | undefined = rows.get(refId(ref))?.document;
      const document = definition.evolve(before, event, ref);
      if (document === before) continue;
      if (document === undefined) rows.delete(refId(ref));
      else rows.set(refId(ref), { ...ref, document, position: event.position });
    }
  }
  return [...rows.values()].sort(compareRefs).map((row) => line(row, row.document, row.position));
}

/** Everything a store holds, in the form that `plainFold` gives. */
export async function contentOf(store: ProjectionStore): Promise<string[]> {
  const rows = await store.scan(undefined, 1_000_000);
  return rows.map((row) => line(row, row.document, row.position));
}

const line = (ref: DocumentRef, document: Document, position: number): string =>
  `${ref.kind} ${ref.key} @${position} ${canonicalJson(document)}`;
