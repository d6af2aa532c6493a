import { type LifecycleDocument, lifecycleProjection } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';

/** The projection as it would be with no lag: folded anew from the log at every question. */
export const foldedModel = (log: EventLog): Pick<ReadModel, 'get'> => ({
  async get(kind, key) {
    let document: LifecycleDocument | undefined;
    let position = 0;
    for (const event of await log.read(0, 10_000)) {
      if (!lifecycleProjection.refs(event).some((ref) => ref.kind === kind && ref.key === key)) continue;
      document = lifecycleProjection.evolve(document, event, { kind });
      position = event.position;
    }
    // The kind tells the shape, as it does in the store.
    return document === undefined ? undefined : ({ kind, key, document, position } as never);
  },
});
