import type { DocumentChange, DocumentRef, ProjectionStore, StoredDocument } from './projection.js';
import { refId } from './refs.js';

const DOCUMENTS_KEPT = 5_000;

type Entry = StoredDocument | 'absent';

/**
 * Spares a projection the reading back of what it has just written. What is remembered holds as of one checkpoint, the one that
 * the last successful commit moved to: a commit that starts elsewhere, fails or is refused forgets everything, and the
 * compare-and-set of the store refuses whatever a rival has overtaken.
 */
export function rememberingStore(store: ProjectionStore, limit = DOCUMENTS_KEPT): ProjectionStore {
  const remembered = new Map<string, Entry>();
  let asOf: number | undefined;

  const forget = (): void => {
    remembered.clear();
    asOf = undefined;
  };
  const remember = (id: string, entry: Entry): void => {
    remembered.delete(id);
    remembered.set(id, entry);
    if (remembered.size <= limit) return;
    const [oldest] = remembered.keys();
    if (oldest !== undefined) remembered.delete(oldest);
  };

  return {
    get: (kind, key, notBefore) => store.get(kind, key, notBefore),
    list: (kind, group, notBefore, changedAfter) => store.list(kind, group, notBefore, changedAfter),
    scan: (after, count) => store.scan(after, count),
    prepare() {
      forget();
      return store.prepare();
    },
    async position() {
      const position = await store.position();
      if (position !== asOf) forget();
      return position;
    },
    async getMany(refs) {
      const known = refs.map((ref) => remembered.get(refId(ref)));
      const missing = refs.filter((_, index) => known[index] === undefined);
      const loaded = missing.length === 0 ? [] : await store.getMany(missing);
      if (asOf !== undefined) note(missing, loaded, remember);
      return [...known.filter((entry) => entry !== undefined && entry !== 'absent'), ...loaded];
    },
    async commit(from, to, changes) {
      if (from !== asOf) forget();
      const moved = await store.commit(from, to, changes).catch((error: unknown) => {
        forget();
        throw error;
      });
      if (!moved) forget();
      else {
        asOf = to;
        for (const change of changes) remember(refId(change), entryOf(change));
      }
      return moved;
    },
  };
}

function note(
  asked: readonly DocumentRef[],
  loaded: readonly StoredDocument[],
  remember: (id: string, entry: Entry) => void,
): void {
  const found = new Map(loaded.map((document) => [refId(document), document]));
  for (const ref of asked) remember(refId(ref), found.get(refId(ref)) ?? 'absent');
}

const entryOf = ({ kind, key, document, position }: DocumentChange): Entry =>
  document === undefined ? 'absent' : { kind, key, document, position };
