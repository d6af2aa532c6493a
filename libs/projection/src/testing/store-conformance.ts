import { beforeEach, describe, expect, it } from '@jest/globals';
import { type DocumentChange, type ProjectionStore, ReadModelBehindError } from '../projection.js';
import type { ProjectionStores } from '../stores.js';

const projection = { name: 'loads', version: 1 };

const change = (key: string, position: number, extra: Partial<DocumentChange> = {}): DocumentChange => ({
  kind: 'replica',
  key,
  document: { key, position },
  groups: ['all'],
  position,
  ...extra,
});

/** What every implementation of the projection stores must do. `create` gives stores that hold nothing yet. */
export function projectionStoreConformance(name: string, create: () => Promise<ProjectionStores>): void {
  describe(`projection stores: ${name}`, () => {
    let stores: ProjectionStores;
    let store: ProjectionStore;
    beforeEach(async () => {
      stores = await create();
      store = stores.store(projection);
      await store.prepare();
    });

    it('starts at position 0 with no documents', async () => {
      expect(await store.position()).toBe(0);
      expect(await store.scan(undefined, 10)).toEqual([]);
    });

    it('answers a read that must not see the past when it has come so far, and refuses it before', async () => {
      const rows = [change('a', 5), change('b', 7, { groups: ['other'] })];
      expect(await store.commit(0, 7, rows)).toBe(true);
      for (const notBefore of [0, 7]) {
        expect(await store.get('replica', 'a', notBefore)).toEqual(await store.get('replica', 'a'));
        expect(await store.get('replica', 'none', notBefore)).toBeUndefined();
        expect(await store.list('replica', undefined, notBefore)).toEqual(await store.list('replica'));
        expect(await store.list('replica', 'all', notBefore)).toEqual(await store.list('replica', 'all'));
        expect(await store.list('replica', 'none', notBefore)).toEqual([]);
        expect(await store.get('', '', notBefore)).toBeUndefined();
      }
      const behind = new ReadModelBehindError(7, 8);
      await expect(store.get('replica', 'a', 8)).rejects.toEqual(behind);
      await expect(store.get('replica', 'none', 8)).rejects.toEqual(behind);
      await expect(store.list('replica', undefined, 8)).rejects.toEqual(behind);
      await expect(store.list('replica', 'none', 8)).rejects.toEqual(behind);
    });

    it('moves documents and checkpoint together', async () => {
      expect(await store.commit(0, 7, [change('a', 5), change('b', 7)])).toBe(true);
      expect(await store.position()).toBe(7);
      expect(await store.get('replica', 'a')).toEqual({
        kind: 'replica',
        key: 'a',
        document: { key: 'a', position: 5 },
        position: 5,
      });
    });

    it('changes nothing when the checkpoint is not where the writer believes', async () => {
      await store.commit(0, 7, [change('a', 5)]);
      expect(await store.commit(0, 9, [change('a', 9), change('b', 9)])).toBe(false);
      expect(await store.commit(8, 9, [change('a', 9)])).toBe(false);
      expect(await store.position()).toBe(7);
      expect((await store.scan(undefined, 10)).map((row) => row.position)).toEqual([5]);
    });

    it('lets exactly one of many rivals win', async () => {
      const wins = await Promise.all(
        Array.from({ length: 8 }, (_, rival) => store.commit(0, rival + 1, [change(`by-${rival}`, rival + 1)])),
      );
      expect(wins.filter(Boolean)).toHaveLength(1);
      const winner = wins.indexOf(true);
      expect(await store.position()).toBe(winner + 1);
      expect((await store.scan(undefined, 10)).map((row) => row.key)).toEqual([`by-${winner}`]);
    });

    it('moves the checkpoint without any change of documents', async () => {
      expect(await store.commit(0, 3, [])).toBe(true);
      expect(await store.position()).toBe(3);
    });

    it('replaces and removes documents in one commit', async () => {
      await store.commit(0, 2, [change('a', 1), change('b', 2)]);
      await store.commit(2, 4, [change('a', 3, { groups: ['other'] }), change('b', 4, { document: undefined })]);
      expect(await store.get('replica', 'b')).toBeUndefined();
      expect((await store.list('replica', 'other')).map((row) => row.key)).toEqual(['a']);
      expect(await store.list('replica', 'all')).toEqual([]);
    });

    it('lists by kind and by group, sorted by key', async () => {
      const quoted = 'odd "group" with \\ and {braces}, commas';
      await store.commit(0, 4, [
        change('c', 1, { groups: ['x', quoted] }),
        change('a', 2, { groups: [quoted] }),
        change('B', 3),
        change('z', 4, { kind: 'route' }),
      ]);
      expect((await store.list('replica')).map((row) => row.key)).toEqual(['B', 'a', 'c']);
      expect((await store.list('replica', quoted)).map((row) => row.key)).toEqual(['a', 'c']);
      // A store may leave out what is asked to be left out, and nothing else.
      const changed = (await store.list('replica', quoted, undefined, 0)).map((row) => row.key);
      expect(changed).toEqual(['a', 'c']);
      const later = await store.list('replica', undefined, undefined, 4);
      expect(later.filter(({ position }) => position > 4)).toEqual(
        (await store.list('replica')).filter(({ position }) => position > 4),
      );
      expect(await store.list('replica', 'absent')).toEqual([]);
      expect(await store.list('absent')).toEqual([]);
    });

    it('gets many at once, each once, leaving out what does not exist', async () => {
      await store.commit(0, 2, [change('a', 1), change('b', 2)]);
      const refs = ['a', 'b', 'a', 'c'].map((key) => ({ kind: 'replica', key }));
      expect((await store.getMany(refs)).map((row) => row.key).sort()).toEqual(['a', 'b']);
      expect(await store.getMany([])).toEqual([]);
    });

    it('walks everything in the order of kind, then key, with the groups', async () => {
      await store.commit(0, 3, [change('b', 1), change('a', 2), change('c', 3, { kind: 'aaa', groups: ['g'] })]);
      const first = await store.scan(undefined, 2);
      expect(first.map((row) => [row.kind, row.key, row.groups])).toEqual([
        ['aaa', 'c', ['g']],
        ['replica', 'a', ['all']],
      ]);
      expect((await store.scan(first[1], 2)).map((row) => row.key)).toEqual(['b']);
    });

    it('keeps JSON values as they are, and hostile text without failing', async () => {
      const document = { text: 'é "quoted" \\u0000 \\', deep: { list: [1, 2.5, null, true, []] } };
      await store.commit(0, 1, [change('a', 1, { document })]);
      expect((await store.get('replica', 'a'))?.document).toEqual(document);
      await store.commit(1, 2, [change('a', 2, { document: { text: 'nul \u0000 half \ud83d pair \ud83d\ude00' } })]);
      expect((await store.get('replica', 'a'))?.document).toEqual({ text: 'nul \ufffd half \ufffd pair \ud83d\ude00' });
    });

    it('never shows its own book-keeping', async () => {
      await store.commit(0, 1, []);
      expect(await store.get('', '')).toBeUndefined();
      expect(await store.getMany([{ kind: '', key: '' }])).toEqual([]);
      expect(await store.list('')).toEqual([]);
    });

    it('keeps versions and shadows apart', async () => {
      const shadow = stores.shadow(projection, 'audit-1');
      const next = stores.store({ name: 'loads', version: 2 });
      await Promise.all([shadow.prepare(), next.prepare()]);
      await shadow.commit(0, 5, [change('a', 5)]);
      expect(await store.position()).toBe(0);
      expect(await next.position()).toBe(0);
      expect(await stores.versions('loads')).toEqual([1, 2]);
      expect(await stores.shadows(projection)).toEqual(['audit-1']);
      await stores.dropShadow(projection, 'audit-1');
      expect(await stores.shadows(projection)).toEqual([]);
      await stores.drop({ name: 'loads', version: 2 });
      expect(await stores.versions('loads')).toEqual([1]);
    });

    it('remembers the version that readers use', async () => {
      expect(await stores.activeVersion('loads')).toBeUndefined();
      await stores.activate(projection);
      await stores.activate({ name: 'loads', version: 2 });
      expect(await stores.activeVersion('loads')).toBe(2);
      expect(await stores.activeVersion('other')).toBeUndefined();
    });
  });
}
