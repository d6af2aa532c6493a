import {
  type Document,
  type DocumentChange,
  type DocumentRef,
  type ProjectionStore,
  ReadModelBehindError,
  type ScannedDocument,
  type StoredDocument,
} from '../projection.js';
import { compareRefs, compareText, refId } from '../refs.js';
import { storable } from './storable.js';

/** A document where it is listed; readers get copies. */
interface Row {
  readonly kind: string;
  readonly key: string;
  readonly groups: readonly string[];
  position: number;
  document: Document;
}

/** Documents in memory with the semantics of the PostgreSQL store: JSON values, moved by compare-and-set. */
export class MemoryProjectionStore implements ProjectionStore {
  private readonly rows = new Map<string, Row>();
  private readonly kinds = new Map<string, Set<Row>>();
  private readonly members = new Map<string, Set<Row>>();
  private checkpoint = 0;

  constructor(
    /** Called after each commit that moved the checkpoint. */
    private readonly onCommit: () => void = () => undefined,
  ) {}

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  position(): Promise<number> {
    return Promise.resolve(this.checkpoint);
  }

  get<Shape extends Document>(kind: string, key: string, notBefore = 0): Promise<StoredDocument<Shape> | undefined> {
    if (this.checkpoint < notBefore) return Promise.reject(new ReadModelBehindError(this.checkpoint, notBefore));
    const row = this.rows.get(refId({ kind, key }));
    return Promise.resolve(row && (toStored(row) as StoredDocument<Shape>)); // the caller names the shape its fold gives this kind
  }

  getMany(refs: readonly DocumentRef[]): Promise<readonly StoredDocument[]> {
    const unique = new Map(refs.map((ref) => [refId(ref), ref]));
    return Promise.resolve([...unique.keys()].flatMap((id) => this.rows.get(id) ?? []).map(toStored));
  }

  list<Shape extends Document>(
    kind: string,
    group?: string,
    notBefore = 0,
    changedAfter = 0,
  ): Promise<readonly StoredDocument<Shape>[]> {
    if (this.checkpoint < notBefore) return Promise.reject(new ReadModelBehindError(this.checkpoint, notBefore));
    const rows = group === undefined ? this.kinds.get(kind) : this.members.get(memberId(kind, group));
    const sorted = [...(rows ?? [])]
      .filter(({ position }) => position > changedAfter)
      .sort((left, right) => compareText(left.key, right.key));
    return Promise.resolve(sorted.map((row) => toStored(row) as StoredDocument<Shape>)); // as in get
  }

  scan(after: DocumentRef | undefined, limit: number): Promise<readonly ScannedDocument[]> {
    const rows = [...this.rows.values()].sort(compareRefs);
    const rest = after === undefined ? rows : rows.filter((row) => compareRefs(row, after) > 0);
    return Promise.resolve(rest.slice(0, limit).map((row) => ({ ...row })));
  }

  commit(from: number, to: number, changes: readonly DocumentChange[]): Promise<boolean> {
    if (this.checkpoint !== from) return Promise.resolve(false);
    for (const change of changes) this.apply(change);
    this.checkpoint = to;
    this.onCommit();
    return Promise.resolve(true);
  }

  /** Loses everything, as if the tables had been dropped. */
  clear(): void {
    this.rows.clear();
    this.kinds.clear();
    this.members.clear();
    this.checkpoint = 0;
  }

  private apply(change: DocumentChange): void {
    const id = refId(change);
    const before = this.rows.get(id);
    if (change.document === undefined) {
      if (before) this.unlink(id, before);
      return;
    }
    const { kind, key, groups, position } = change;
    const document = storable(change.document) as Document; // what was a document is one after a round trip
    if (before && sameTexts(before.groups, groups)) {
      // Most changes leave a document where it is listed.
      before.document = document;
      before.position = position;
      return;
    }
    if (before) this.unlink(id, before);
    const row: Row = { kind, key, groups: [...groups], position, document };
    this.rows.set(id, row);
    addTo(this.kinds, kind, row);
    for (const group of row.groups) addTo(this.members, memberId(kind, group), row);
  }

  private unlink(id: string, row: Row): void {
    this.rows.delete(id);
    removeFrom(this.kinds, row.kind, row);
    for (const group of row.groups) removeFrom(this.members, memberId(row.kind, group), row);
  }
}

const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);

const memberId = (kind: string, group: string): string => `${kind}\n${group}`;

const toStored = ({ kind, key, document, position }: Row): StoredDocument => ({
  kind,
  key,
  document,
  position,
});

function addTo<Value>(index: Map<string, Set<Value>>, name: string, value: Value): void {
  const set = index.get(name);
  if (set) set.add(value);
  else index.set(name, new Set([value]));
}

function removeFrom<Value>(index: Map<string, Set<Value>>, name: string, value: Value): void {
  const set = index.get(name);
  set?.delete(value);
  if (set?.size === 0) index.delete(name);
}
