import { lifecycleProjection } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import { MemoryProjectionStore, type ReadModel, foldUpTo } from '@davit/projection';

/** The projection as it would be with no lag: folded anew from the log at every question. */
export function foldedModel(log: EventLog): ReadModel {
  const folded = async (): Promise<ReadModel> => {
    const store = new MemoryProjectionStore();
    await foldUpTo(lifecycleProjection, log, store, 0, await log.head());
    return store;
  };
  return {
    get: async (kind, key) => (await folded()).get(kind, key),
    list: async (kind, group, notBefore, changedAfter) => (await folded()).list(kind, group, notBefore, changedAfter),
    scan: async (after, limit) => (await folded()).scan(after, limit),
    position: () => log.head(),
  };
}
