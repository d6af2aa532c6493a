import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { storable } from '../memory/storable.js';
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
import { inJsonbOrder } from './jsonb-order.js';

type Rows = PersistentMap<string, ScannedDocument>;
type Lists = PersistentMap<string, PersistentSet<string>>;

/**
 * A store in memory that can be had twice: a branch costs nothing, and what is committed to one is not seen by the other. Both
 * share whatever is the same in them, so that many moments of one log cost little more than the last.
 */
export class BranchingStore implements ProjectionStore {
  private rows: Rows = PersistentMap();
  private lists: Lists = PersistentMap();
  private checkpoint = 0;

  branch(): BranchingStore {
    const other = new BranchingStore();
    other.rows = this.rows;
    other.lists = this.lists;
    other.checkpoint = this.checkpoint;
    return other;
  }

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
    const ids = new Set(refs.map(refId));
    return Promise.resolve([...ids].flatMap((id) => this.rows.get(id) ?? []).map(toStored));
  }

  list<Shape extends Document>(kind: string, group?: string, notBefore = 0): Promise<readonly StoredDocument<Shape>[]> {
    if (this.checkpoint < notBefore) return Promise.reject(new ReadModelBehindError(this.checkpoint, notBefore));
    const rows = [...(this.lists.get(listId(kind, group)) ?? [])].flatMap((id) => this.rows.get(id) ?? []);
    rows.sort((left, right) => compareText(left.key, right.key));
    return Promise.resolve(rows.map((row) => toStored(row) as StoredDocument<Shape>)); // as in get
  }

  scan(after: DocumentRef | undefined, limit: number): Promise<readonly ScannedDocument[]> {
    const rows = [...this.rows.values()].sort(compareRefs);
    const rest = after === undefined ? rows : rows.filter((row) => compareRefs(row, after) > 0);
    return Promise.resolve(rest.slice(0, limit));
  }

  commit(from: number, to: number, changes: readonly DocumentChange[]): Promise<boolean> {
    if (this.checkpoint !== from) return Promise.resolve(false);
    const rows = this.rows.asMutable();
    const lists = this.lists.asMutable();
    for (const change of changes) apply(rows, lists, change);
    this.rows = rows.asImmutable();
    this.lists = lists.asImmutable();
    this.checkpoint = to;
    return Promise.resolve(true);
  }
}

function apply(rows: Rows, lists: Lists, { kind, key, document, groups, position }: DocumentChange): void {
  const id = refId({ kind, key });
  const before = rows.get(id);
  const were = before ? [undefined, ...before.groups] : [];
  const are = document === undefined ? [] : [undefined, ...groups];
  for (const group of were) if (!are.includes(group)) leave(lists, listId(kind, group), id);
  for (const group of are) if (!were.includes(group)) enter(lists, listId(kind, group), id);
  if (document === undefined) rows.delete(id);
  else {
    // What was a document is one after a round trip.
    rows.set(id, { kind, key, document: storable(inJsonbOrder(document)) as Document, groups: [...groups], position });
  }
}

const enter = (lists: Lists, list: string, id: string): Lists =>
  lists.set(list, (lists.get(list) ?? PersistentSet<string>()).add(id));

function leave(lists: Lists, list: string, id: string): void {
  const rest = lists.get(list)?.delete(id);
  if (rest && rest.size > 0) lists.set(list, rest);
  else lists.delete(list);
}

/** Kinds never hold a line break. */
const listId = (kind: string, group: string | undefined): string => (group === undefined ? kind : `${kind}\n${group}`);

const toStored = ({ kind, key, document, position }: ScannedDocument): StoredDocument => ({
  kind,
  key,
  document,
  position,
});
