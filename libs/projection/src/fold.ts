import type { RecordedEvent } from '@davit/contracts';
import type { Document, DocumentChange, DocumentRef, ProjectionDefinition, StoredDocument } from './projection.js';
import { refId } from './refs.js';

/** An event that the fold of a projection could not apply. Nothing after it is folded in until that is mended. */
export class CannotApplyError extends Error {
  readonly code = 'cannot-apply';
  constructor(
    readonly projection: string,
    readonly position: number,
    override readonly cause: unknown,
  ) {
    super(`projection ${projection} cannot apply the event at position ${position}: ${String(cause)}`);
    this.name = 'CannotApplyError';
  }
}

/** What folding a run of events gives: the changes up to `to`, and the event that could not be applied, if any. */
export interface FoldedPage {
  readonly to: number;
  readonly changes: readonly DocumentChange[];
  readonly failure: CannotApplyError | undefined;
}

interface Cell {
  readonly ref: DocumentRef;
  document: Document | undefined;
  position: number;
  traceparent?: string | undefined;
  readonly before: Document | undefined;
}

/**
 * Folds consecutive events into the documents they name, one change a document. A document counts as touched by an
 * event when `evolve` returns another object than it was given, so the outcome does not depend on how the log is cut
 * into pages.
 */
export async function foldPage(
  definition: ProjectionDefinition,
  from: number,
  events: readonly RecordedEvent[],
  load: (refs: readonly DocumentRef[]) => Promise<readonly StoredDocument[]>,
): Promise<FoldedPage> {
  const plan = planPage(definition, events);
  const cells = new Map<string, Cell>();
  for (const [id, ref] of plan.refs) cells.set(id, { ref, document: undefined, position: 0, before: undefined });
  const loaded = plan.refs.size === 0 ? [] : await load([...plan.refs.values()]);
  for (const { kind, key, document, position } of loaded) {
    cells.set(refId({ kind, key }), { ref: { kind, key }, document, position, before: document });
  }
  let failure = plan.failure;
  let to = from;
  for (const { event, refs } of plan.steps) {
    const failed = applyEvent(definition, event, refs, cells);
    if (failed) {
      failure = failed;
      break;
    }
    to = event.position;
  }
  return { to, changes: changesOf(definition, cells), failure };
}

interface PagePlan {
  readonly refs: ReadonlyMap<string, DocumentRef>;
  readonly steps: readonly { readonly event: RecordedEvent; readonly refs: readonly DocumentRef[] }[];
  readonly failure: CannotApplyError | undefined;
}

function planPage(definition: ProjectionDefinition, events: readonly RecordedEvent[]): PagePlan {
  const refs = new Map<string, DocumentRef>();
  const steps: { event: RecordedEvent; refs: readonly DocumentRef[] }[] = [];
  for (const event of events) {
    try {
      const named = definition.refs(event);
      for (const ref of named) refs.set(refId(ref), ref);
      steps.push({ event, refs: named });
    } catch (error) {
      return { refs, steps, failure: new CannotApplyError(definition.name, event.position, error) };
    }
  }
  return { refs, steps, failure: undefined };
}

function applyEvent(
  definition: ProjectionDefinition,
  event: RecordedEvent,
  refs: readonly DocumentRef[],
  cells: Map<string, Cell>,
): CannotApplyError | undefined {
  const results: [Cell, Document | undefined][] = [];
  try {
    for (const ref of refs) {
      const cell = cells.get(refId(ref));
      if (cell) results.push([cell, definition.evolve(cell.document, event, ref)]);
    }
  } catch (error) {
    return new CannotApplyError(definition.name, event.position, error);
  }
  for (const [cell, document] of results) {
    if (document === cell.document) continue;
    cell.document = document;
    cell.position = event.position;
    cell.traceparent = event.traceparent;
  }
  return undefined;
}

function changesOf(definition: ProjectionDefinition, cells: ReadonlyMap<string, Cell>): DocumentChange[] {
  const changes: DocumentChange[] = [];
  for (const { ref, document, position, before, traceparent } of cells.values()) {
    if (document === before) continue;
    const groups = document === undefined ? [] : definition.groups(ref, document);
    const trace = traceparent === undefined ? {} : { traceparent };
    changes.push({ kind: ref.kind, key: ref.key, document, groups, position, ...trace });
  }
  return changes;
}
