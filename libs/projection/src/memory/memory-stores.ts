import type { ProjectionStores, ProjectionVersion } from '../stores.js';
import { MemoryProjectionStore } from './memory-store.js';

export interface MemoryProjectionStores extends ProjectionStores {
  store(projection: ProjectionVersion): MemoryProjectionStore;
}

/** Stores of one service in memory, for simulation and unit tests. They live as long as the object. */
export function inMemoryProjectionStores(onCommit?: () => void): MemoryProjectionStores {
  const live = new Map<string, Map<number, MemoryProjectionStore>>();
  const shadows = new Map<string, Map<string, MemoryProjectionStore>>();
  const active = new Map<string, number>();
  const shadowsOf = ({ name, version }: ProjectionVersion): Map<string, MemoryProjectionStore> =>
    getOrCreate(shadows, `${name}\n${version}`, () => new Map<string, MemoryProjectionStore>());
  const versionsOf = (name: string): Map<number, MemoryProjectionStore> =>
    getOrCreate(live, name, () => new Map<number, MemoryProjectionStore>());
  return {
    store: ({ name, version }) => getOrCreate(versionsOf(name), version, () => new MemoryProjectionStore(onCommit)),
    shadow: (projection, label) => getOrCreate(shadowsOf(projection), label, () => new MemoryProjectionStore()),
    shadows: (projection) => Promise.resolve([...shadowsOf(projection).keys()].sort()),
    dropShadow: (projection, label) => {
      shadowsOf(projection).delete(label);
      return Promise.resolve();
    },
    versions: (name) => Promise.resolve([...versionsOf(name).keys()].sort((left, right) => left - right)),
    drop: ({ name, version }) => {
      versionsOf(name).get(version)?.clear();
      versionsOf(name).delete(version);
      return Promise.resolve();
    },
    activeVersion: (name) => Promise.resolve(active.get(name)),
    activate: ({ name, version }) => {
      active.set(name, version);
      return Promise.resolve();
    },
  };
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
