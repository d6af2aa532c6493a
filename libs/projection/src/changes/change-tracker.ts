import type { RecordedEvent } from '@davit/contracts';
import { storable } from '../memory/storable.js';
import type { Document, DocumentRef, ProjectionDefinition, ReadModel } from '../projection.js';
import { refId } from '../refs.js';
import { type Difference, differences } from './differences.js';

/** A thing that a document tells of, with what is compared of it. */
export interface Shown {
  readonly kind: string;
  readonly name: string;
  readonly value: Document;
}

export interface ChangedField extends Difference {
  /** The last event that changed it, or something in it. */
  readonly by: RecordedEvent;
}

export interface ChangedThing extends Pick<Shown, 'kind' | 'name'> {
  /** The document that tells of it. */
  readonly ref: DocumentRef;
  /** The same as it was and as it is; undefined where there was none. */
  readonly before: Document | undefined;
  readonly after: Document | undefined;
  readonly existed: boolean;
  readonly exists: boolean;
  /** At least one. */
  readonly fields: readonly ChangedField[];
  /** The last event that changed any of these. */
  readonly by: RecordedEvent;
}

export interface ChangeTrackerOptions {
  readonly definition: ProjectionDefinition;
  /** The documents as they were before the first event. */
  readonly before: Pick<ReadModel, 'get'>;
  /** Things that a document tells of; nothing for kinds that are not compared. */
  shown(ref: DocumentRef, document: Document): readonly Shown[];
  /** Kinds of documents that are folded at all. */
  readonly kinds: readonly string[];
}

interface Followed {
  readonly ref: DocumentRef;
  readonly before: Document | undefined;
  after: Document | undefined;
  /** By thing, then by path: the last event that changed it. */
  readonly changedBy: Map<string, Map<string, RecordedEvent>>;
}

/** Folds events onto the documents of a moment, by the code that folds the live ones, and remembers which event changed what. */
export class ChangeTracker {
  private readonly followed = new Map<string, Followed>();

  constructor(private readonly options: ChangeTrackerOptions) {}

  /** Events come in the order of the log. */
  async see(events: readonly RecordedEvent[]): Promise<void> {
    const { definition, kinds } = this.options;
    for (const event of events)
      for (const ref of definition.refs(event))
        if (kinds.includes(ref.kind)) this.step(await this.documentOf(ref), event);
  }

  /** What is other than it was, in the order in which the log first told of it. */
  changes(): readonly ChangedThing[] {
    return [...this.followed.values()].flatMap((one) => this.changesOf(one));
  }

  private async documentOf(ref: DocumentRef): Promise<Followed> {
    const known = this.followed.get(refId(ref));
    if (known) return known;
    const before = (await this.options.before.get(ref.kind, ref.key))?.document;
    const followed: Followed = { ref, before, after: before, changedBy: new Map() };
    this.followed.set(refId(ref), followed);
    return followed;
  }

  private step(followed: Followed, event: RecordedEvent): void {
    const { ref, after: was } = followed;
    const is = this.options.definition.evolve(was, event, ref);
    if (is === was) return;
    followed.after = is === undefined ? undefined : (storable(is) as Document); // a document stays one
    for (const { thing, found } of this.compare(ref, was, followed.after)) {
      const by = followed.changedBy.get(thing) ?? new Map<string, RecordedEvent>();
      for (const { path } of found) by.set(path, event);
      followed.changedBy.set(thing, by);
    }
  }

  private changesOf({ ref, before, after, changedBy }: Followed): readonly ChangedThing[] {
    return this.compare(ref, before, after).flatMap(({ thing, found, ...what }) => {
      const events = changedBy.get(thing) ?? new Map<string, RecordedEvent>();
      const fields = found.flatMap((one) => {
        const by = latestOn(one.path, events);
        return by ? [{ ...one, by }] : [];
      });
      const by = latest(fields.map((field) => field.by));
      return by ? [{ ...what, ref, before, after, fields, by }] : [];
    });
  }

  private compare(ref: DocumentRef, before: Document | undefined, after: Document | undefined) {
    const were = new Map((before ? this.options.shown(ref, before) : []).map((one) => [idOf(one), one]));
    const are = new Map((after ? this.options.shown(ref, after) : []).map((one) => [idOf(one), one]));
    return [...new Set([...were.keys(), ...are.keys()])].flatMap((thing) => {
      const [was, is] = [were.get(thing), are.get(thing)];
      const found = differences(was?.value ?? {}, is?.value ?? {});
      const one = is ?? was;
      if (!one || found.length === 0) return [];
      return [{ thing, found, kind: one.kind, name: one.name, existed: was !== undefined, exists: is !== undefined }];
    });
  }
}

const idOf = ({ kind, name }: Shown): string => refId({ kind, key: name });

/** A change of what a place is in, or of anything within it, changes the place. */
function latestOn(path: string, events: ReadonlyMap<string, RecordedEvent>): RecordedEvent | undefined {
  return latest([...events].filter(([one]) => contains(one, path) || contains(path, one)).map(([, event]) => event));
}

const contains = (outer: string, inner: string): boolean =>
  inner.startsWith(outer) && (outer.length === inner.length || /^[.[]/.test(inner.slice(outer.length)));

const latest = (events: readonly RecordedEvent[]): RecordedEvent | undefined =>
  events.reduce<RecordedEvent | undefined>(
    (last, one) => (last && last.position >= one.position ? last : one),
    undefined,
  );
