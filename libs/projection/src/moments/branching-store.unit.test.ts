import { expect, it } from '@jest/globals';
import { inMemoryProjectionStores } from '../memory/memory-stores.js';
import { projectionStoreConformance } from '../testing/store-conformance.js';
import type { ProjectionStores } from '../stores.js';
import { BranchingStore } from './branching-store.js';

projectionStoreConformance('branching', () => Promise.resolve(branching()));

function branching(): ProjectionStores {
  const stores = new Map<string, BranchingStore>();
  const storeOf = (name: string): BranchingStore => {
    const store = stores.get(name) ?? new BranchingStore();
    stores.set(name, store);
    return store;
  };
  const named = inMemoryProjectionStores();
  return {
    ...named,
    store: ({ name, version }) => {
      named.store({ name, version });
      return storeOf(`${name} ${version}`);
    },
    shadow: ({ name, version }, label) => {
      named.shadow({ name, version }, label);
      return storeOf(`${name} ${version} ${label}`);
    },
    drop: async (projection) => {
      stores.delete(`${projection.name} ${projection.version}`);
      await named.drop(projection);
    },
    dropShadow: async (projection, label) => {
      stores.delete(`${projection.name} ${projection.version} ${label}`);
      await named.dropShadow(projection, label);
    },
  };
}

it('what is committed to a branch is not seen by what it came from, nor the other way round', async () => {
  const change = (key: string, running: number, position: number) => ({
    ...{ kind: 'replica', key, document: { running }, groups: [`load:${running}`], position },
  });
  const first = new BranchingStore();
  await first.commit(0, 1, [change('a', 1, 1)]);
  const second = first.branch();
  await second.commit(1, 2, [change('a', 2, 2), change('b', 1, 2)]);
  await first.commit(1, 3, [{ ...change('a', 1, 3), document: undefined }]);
  expect(await first.list('replica')).toEqual([]);
  expect(await first.list('replica', 'load:1')).toEqual([]);
  expect((await second.list('replica', 'load:1')).map(({ key }) => key)).toEqual(['b']);
  expect(await second.get('replica', 'a')).toMatchObject({ document: { running: 2 }, position: 2 });
  expect([await first.position(), await second.position()]).toEqual([3, 2]);
});
