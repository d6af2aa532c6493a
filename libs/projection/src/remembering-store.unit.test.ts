import { describe, expect, it } from '@jest/globals';
import { MemoryProjectionStore } from './memory/memory-store.js';
import type { DocumentChange, DocumentRef, ProjectionStore } from './projection.js';
import { rememberingStore } from './remembering-store.js';

const ref = (key: string): DocumentRef => ({ kind: 'thing', key });
const change = (key: string, value: number, position: number): DocumentChange => ({
  ...ref(key),
  document: { value },
  groups: [],
  position,
});

async function rig(limit?: number) {
  const inner = new MemoryProjectionStore();
  await inner.prepare();
  const asked: string[] = [];
  const watched: ProjectionStore = {
    get: (kind, key) => inner.get(kind, key),
    list: (kind, group) => inner.list(kind, group),
    scan: (after, count) => inner.scan(after, count),
    position: () => inner.position(),
    prepare: () => inner.prepare(),
    commit: (from, to, changes) => inner.commit(from, to, changes),
    getMany: (refs) => {
      asked.push(...refs.map(({ key }) => key));
      return inner.getMany(refs);
    },
  };
  const store = rememberingStore(watched, limit);
  const values = async (...keys: string[]) =>
    (await store.getMany(keys.map(ref))).map(({ key, document }) => `${key}=${String(document['value'])}`).sort();
  return { inner, store, asked, values };
}

describe('a store that remembers what it has written', () => {
  it('does not read back what the last commits wrote, nor look twice for what is not there', async () => {
    const { store, asked, values } = await rig();
    await store.commit(0, 1, [change('a', 1, 1)]);
    expect(await values('a', 'b')).toEqual(['a=1']);
    expect(await values('a', 'b')).toEqual(['a=1']);
    expect(asked).toEqual(['b']);
  });

  it('forgets everything once a rival has moved the checkpoint', async () => {
    const { inner, store, values } = await rig();
    await store.commit(0, 1, [change('a', 1, 1)]);
    await inner.commit(1, 2, [change('a', 2, 2)]);
    expect(await store.commit(1, 2, [change('a', 99, 2)])).toBe(false);
    expect(await values('a')).toEqual(['a=2']);
  });

  it('forgets everything when the checkpoint is seen elsewhere', async () => {
    const { inner, store, values } = await rig();
    await store.commit(0, 1, [change('a', 1, 1)]);
    await inner.commit(1, 2, [change('a', 2, 2)]);
    expect(await store.position()).toBe(2);
    expect(await values('a')).toEqual(['a=2']);
  });

  it('remembers a removal as absence', async () => {
    const { store, asked, values } = await rig();
    await store.commit(0, 1, [change('a', 1, 1)]);
    await store.commit(1, 2, [{ ...ref('a'), document: undefined, groups: [], position: 2 }]);
    expect(await values('a')).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('keeps no more than its limit, the latest ones', async () => {
    const { store, asked, values } = await rig(2);
    await store.commit(0, 3, [change('a', 1, 1), change('b', 2, 2), change('c', 3, 3)]);
    expect(await values('b', 'c')).toEqual(['b=2', 'c=3']);
    expect(asked).toEqual([]);
    expect(await values('a')).toEqual(['a=1']);
    expect(asked).toEqual(['a']);
  });
});
