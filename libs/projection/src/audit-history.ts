import type { EventLog } from '@davit/event-log';
import { canonicalJson } from './canonical-json.js';
import type { Document, DocumentRef, ProjectionDefinition } from './projection.js';
import { PAGE_SIZE } from './rebuild.js';
import { refId } from './refs.js';

/** A document that is not what the log says, as found in the live store and in the rebuilt one. */
export interface DifferingDocument extends DocumentRef {
  readonly live: Document | undefined;
  readonly livePosition: number;
  readonly rebuilt: Document | undefined;
  readonly rebuiltPosition: number;
}

export interface LocatedDifference extends DifferingDocument {
  /** First event from which on the live document is not what folding gives. */
  readonly position: number;
}

/** Folds the differing documents event by event up to `upTo`, to name the event where each left the log. */
export async function locateDifferences(
  definition: ProjectionDefinition,
  log: EventLog,
  differing: readonly DifferingDocument[],
  upTo: number,
): Promise<readonly LocatedDifference[]> {
  const traces = new Map(differing.map((difference) => [refId(difference), new Trace(difference)]));
  for (let after = 0; after < upTo;) {
    const events = await log.read(after, Math.min(PAGE_SIZE, upTo - after));
    const last = events.at(-1);
    if (!last) break;
    for (const event of events) {
      for (const ref of definition.refs(event)) {
        const trace = traces.get(refId(ref));
        trace?.step(definition.evolve(trace.document, event, ref), event.position);
      }
    }
    after = last.position;
  }
  return [...traces.values()].map((trace) => trace.located());
}

/** The life of one document as the log tells it, compared at every step with what the live store holds at the end. */
class Trace {
  document: Document | undefined;
  private readonly live: string;
  /** First change after the last state that equals the live document. */
  private leftAt: number | undefined;
  private everEqual: boolean;
  /** Set when the document at the live document's own position is another. */
  private wrongAt: number | undefined;

  constructor(private readonly difference: DifferingDocument) {
    this.live = text(difference.live);
    this.everEqual = difference.live === undefined;
  }

  step(document: Document | undefined, position: number): void {
    if (document === this.document) return;
    this.document = document;
    const equal = text(document) === this.live;
    if (position === this.difference.livePosition && !equal) this.wrongAt = position;
    if (equal) {
      this.everEqual = true;
      this.leftAt = undefined;
    } else if (this.everEqual) this.leftAt ??= position;
  }

  located(): LocatedDifference {
    const { livePosition, rebuiltPosition } = this.difference;
    return { ...this.difference, position: this.wrongAt ?? this.leftAt ?? Math.max(livePosition, rebuiltPosition) };
  }
}

const text = (document: Document | undefined): string => (document === undefined ? '' : canonicalJson(document));
