import { canonicalJson } from './canonical-json.js';
import type { DifferingDocument } from './audit-history.js';
import type { DocumentRef, ProjectionStore, ScannedDocument, StoredDocument } from './projection.js';
import { compareRefs, refId } from './refs.js';

const PAGE = 1_000;

export interface Comparison {
  readonly compared: number;
  readonly differing: readonly DifferingDocument[];
}

/** Walks both stores side by side in the same order. */
export async function compareAll(live: ProjectionStore, rebuilt: ProjectionStore): Promise<Comparison> {
  const differing: DifferingDocument[] = [];
  const left = documentsOf(live);
  const right = documentsOf(rebuilt);
  let [a, b] = [await left.next(), await right.next()];
  let compared = 0;
  while (a || b) {
    compared += 1;
    const order = !a ? 1 : !b ? -1 : compareRefs(a, b);
    const difference = differenceOf(order <= 0 ? a : undefined, order >= 0 ? b : undefined);
    if (difference) differing.push(difference);
    [a, b] = [order <= 0 ? await left.next() : a, order >= 0 ? await right.next() : b];
  }
  return { compared, differing };
}

/** Compares the named documents alone. */
export async function compareSome(
  live: ProjectionStore,
  rebuilt: ProjectionStore,
  refs: readonly DocumentRef[],
): Promise<readonly DifferingDocument[]> {
  const [left, right] = [byId(await live.getMany(refs)), byId(await rebuilt.getMany(refs))];
  return refs.flatMap((ref) => differenceOf(left.get(refId(ref)), right.get(refId(ref))) ?? []);
}

const byId = (rows: readonly StoredDocument[]): Map<string, StoredDocument> =>
  new Map(rows.map((row) => [refId(row), row]));

function differenceOf(
  live: (StoredDocument & Partial<ScannedDocument>) | undefined,
  rebuilt: (StoredDocument & Partial<ScannedDocument>) | undefined,
): DifferingDocument | undefined {
  const one = live ?? rebuilt;
  if (!one || (live && rebuilt && textOf(live) === textOf(rebuilt))) return undefined;
  return {
    kind: one.kind,
    key: one.key,
    live: live?.document,
    livePosition: live?.position ?? 0,
    rebuilt: rebuilt?.document,
    rebuiltPosition: rebuilt?.position ?? 0,
  };
}

const textOf = ({ document, groups, position }: StoredDocument & Partial<ScannedDocument>): string =>
  canonicalJson({ document, groups, position });

function documentsOf(store: ProjectionStore): { next(): Promise<ScannedDocument | undefined> } {
  let page: readonly ScannedDocument[] = [];
  let index = 0;
  let after: DocumentRef | undefined;
  let ended = false;
  return {
    async next() {
      if (index >= page.length && !ended) {
        page = await store.scan(after, PAGE);
        index = 0;
        after = page.at(-1);
        ended = page.length === 0;
      }
      return page[index++];
    },
  };
}
