import { type Clock, type Random, sleep } from '@davit/ports';
import type { ProjectionStore } from '../projection.js';

/** A store whose every call takes a random while, so that rivals meet at every point of their work. */
export function slowStore(store: ProjectionStore, clock: Clock, random: Random, maxMs: number): ProjectionStore {
  const late = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    await sleep(clock, Math.floor(random.next() * maxMs));
    const value = await call();
    await sleep(clock, Math.floor(random.next() * maxMs));
    return value;
  };
  return {
    prepare: () => late(() => store.prepare()),
    position: () => late(() => store.position()),
    get: (kind, key, notBefore) => late(() => store.get(kind, key, notBefore)),
    getMany: (refs) => late(() => store.getMany(refs)),
    list: (kind, group, notBefore) => late(() => store.list(kind, group, notBefore)),
    scan: (after, limit) => late(() => store.scan(after, limit)),
    commit: (from, to, changes) => late(() => store.commit(from, to, changes)),
  };
}
