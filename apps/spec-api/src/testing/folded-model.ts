import { type LifecycleDocument, lifecycleProjection } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';

/** The projection as it would be with no lag: folded anew from the log at every question. */
export function foldedModel(log: EventLog): Pick<ReadModel, 'get' | 'list' | 'position'> {
  const fold = async (): Promise<ReadonlyMap<string, Stored>> => {
    const documents = new Map<string, Stored>();
    for (const event of await log.read(0, 10_000)) {
      for (const { kind, key } of lifecycleProjection.refs(event)) {
        const name = `${kind} ${key}`;
        const document = lifecycleProjection.evolve(documents.get(name)?.document, event, { kind });
        if (document === undefined) documents.delete(name);
        else documents.set(name, { kind, key, document, position: event.position });
      }
    }
    return documents;
  };
  // The kind tells the shape, as it does in the store.
  return {
    get: async (kind, key) => (await fold()).get(`${kind} ${key}`) as never,
    list: async (kind, group) =>
      [...(await fold()).values()].filter(
        (stored) =>
          stored.kind === kind &&
          (group === undefined || lifecycleProjection.groups({ kind }, stored.document).includes(group)),
      ) as never,
    position: () => log.head(),
  };
}

interface Stored {
  readonly kind: string;
  readonly key: string;
  readonly document: LifecycleDocument;
  readonly position: number;
}
