import type { RecordedEvent } from '@davit/contracts';
import type { ProjectionDefinition } from '../projection.js';

/** A fold of the size of a service's own: one document a replica, with its states, prices and last load. */
export const lifeProjection: ProjectionDefinition = {
  name: 'bench-lives',
  version: 1,
  refs(event) {
    const key = replicaOf(event);
    return key === null ? [] : [{ kind: 'replica', key }];
  },
  evolve(document, event) {
    const data: object = event.data;
    const before: unknown = document?.['states'];
    const states = [...(Array.isArray(before) ? before.map(String) : []), event.type].slice(-12);
    return { ...document, ...data, states, changedAt: event.time, version: event.version };
  },
  groups: (_ref, document) => [`deployment:${String(document['deployment'])}`],
};

const replicaOf = ({ data }: RecordedEvent): string | null => ('replicaId' in data ? data.replicaId : null);
