import type { RecordedEvent } from '@davit/contracts';
import { storable } from '../memory/storable.js';
import type { Document, DocumentRef, ProjectionDefinition, ReadModel, StoredDocument } from '../projection.js';
import { compareText, refId } from '../refs.js';

export interface MovingModelOptions {
  readonly definition: ProjectionDefinition;
  /** The documents as they are before the first event. */
  readonly before: Pick<ReadModel, 'get' | 'list'>;
  /** Kinds of documents that are folded at all. */
  readonly kinds: readonly string[];
  /** So many positions back, documents can still be told. Default 2 000. */
  readonly memory?: number;
}

/** What a moment can be asked for. */
export type MomentModel = Pick<ReadModel, 'get' | 'list' | 'position'>;

interface Version {
  readonly position: number;
  readonly document: Document | undefined;
  readonly groups: readonly string[];
}

interface Touched {
  readonly ref: DocumentRef;
  readonly versions: readonly Version[];
}

/** Documents while a log is read, event by event: as they are, and as they were after each of the last events. */
export class MovingModel {
  private readonly touched = new Map<string, Map<string, Touched>>();

  constructor(private readonly options: MovingModelOptions) {}

  /** Folds one event in. Events come in the order of the log. */
  async see(event: RecordedEvent): Promise<void> {
    const { definition, kinds } = this.options;
    for (const ref of definition.refs(event)) {
      if (!kinds.includes(ref.kind)) continue;
      const before = await this.versionsOf(ref);
      const was = before.at(-1)?.document;
      const is = definition.evolve(was, event, ref);
      if (is === was) continue;
      const document = is === undefined ? undefined : (storable(is) as Document); // a document stays one
      const groups = document === undefined ? [] : definition.groups(ref, document);
      this.keep(ref, [...before, { position: event.position, document, groups }]);
    }
  }

  /** The documents after the event at a position, no further back than is remembered. */
  at(position: number): MomentModel {
    return {
      position: () => Promise.resolve(position),
      get: async <Shape extends Document>(kind: string, key: string) => {
        const touched = this.touched.get(kind)?.get(refId({ kind, key }));
        if (!touched) return this.options.before.get<Shape>(kind, key);
        return storedAt<Shape>(touched, position);
      },
      list: async <Shape extends Document>(kind: string, group?: string) => {
        const touched = this.touched.get(kind) ?? new Map<string, Touched>();
        const untouched = await this.options.before.list<Shape>(kind, group);
        const others = untouched.filter(({ key }) => !touched.has(refId({ kind, key })));
        const own = [...touched.values()].flatMap((one) => storedAt<Shape>(one, position, group) ?? []);
        return [...others, ...own].sort((left, right) => compareText(left.key, right.key));
      },
    };
  }

  private async versionsOf(ref: DocumentRef): Promise<readonly Version[]> {
    const known = this.touched.get(ref.kind)?.get(refId(ref));
    if (known) return known.versions;
    const stored = await this.options.before.get(ref.kind, ref.key);
    if (!stored) return [];
    const { document, position } = stored;
    return [{ position, document, groups: this.options.definition.groups(ref, document) }];
  }

  private keep(ref: DocumentRef, versions: readonly Version[]): void {
    const last = versions.at(-1)?.position ?? 0;
    const { memory = 2_000 } = this.options;
    // The last one before what is remembered still tells how it was then.
    const first = versions.findLastIndex(({ position }) => position < last - memory);
    const ofKind = this.touched.get(ref.kind) ?? new Map<string, Touched>();
    ofKind.set(refId(ref), { ref, versions: versions.slice(Math.max(0, first)) });
    this.touched.set(ref.kind, ofKind);
  }
}

function storedAt<Shape extends Document>(
  { ref, versions }: Touched,
  at: number,
  group?: string,
): StoredDocument<Shape> | undefined {
  const version = versions.findLast(({ position }) => position <= at);
  if (!version?.document || (group !== undefined && !version.groups.includes(group))) return undefined;
  // The caller names the shape that its fold gives this kind.
  return { ...ref, document: version.document as Shape, position: version.position };
}
