import type { RecordedEvent } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import type { DocumentChange, DocumentRef, ProjectionDefinition, ProjectionStore } from './projection.js';
import { PAGE_SIZE, readPage } from './rebuild.js';
import { refId } from './refs.js';

/** Reports the documents that a rival folded in after `from` up to `to`, in the state the store holds them in now. */
export async function reportRival(
  parts: { readonly definition: ProjectionDefinition; readonly log: EventLog; readonly store: ProjectionStore },
  from: number,
  to: number,
  report: (page: { readonly to: number; readonly changes: readonly DocumentChange[] }) => void,
): Promise<void> {
  const { definition, log, store } = parts;
  for (let position = from; position < to;) {
    const events = await readPage(definition, log, position, Math.min(PAGE_SIZE, to - position));
    const last = events.at(-1);
    if (!last) return;
    const refs = new Map(events.flatMap((event) => definition.refs(event)).map((ref) => [refId(ref), ref]));
    position = last.position;
    const changes = await presentState(definition, store, [...refs.values()], position);
    report({ to: position, changes: withTraces(changes, definition, events) });
  }
}

function withTraces(
  changes: readonly DocumentChange[],
  definition: ProjectionDefinition,
  events: readonly RecordedEvent[],
): readonly DocumentChange[] {
  const traced = events.filter(({ traceparent }) => traceparent !== undefined);
  if (traced.length === 0) return changes;
  const traces = new Map(
    traced.flatMap((event) => definition.refs(event).map((ref) => [refId(ref), event.traceparent] as const)),
  );
  return changes.map((change) => {
    const traceparent = traces.get(refId(change));
    return traceparent === undefined ? change : { ...change, traceparent };
  });
}

async function presentState(
  definition: ProjectionDefinition,
  store: ProjectionStore,
  refs: readonly DocumentRef[],
  position: number,
): Promise<DocumentChange[]> {
  const stored = new Map((await store.getMany(refs)).map((row) => [refId(row), row]));
  return refs.map((ref) => {
    const row = stored.get(refId(ref));
    const groups = row ? definition.groups(ref, row.document) : [];
    return { ...ref, document: row?.document, groups, position: row?.position ?? position };
  });
}
