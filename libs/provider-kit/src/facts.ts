import { type EventData, type NewEvent, stream } from '@davit/contracts';
import type { Write } from '@davit/domain';
import type { ReplicaState } from '@davit/domain';
import type { ProviderBackend } from './backend.js';

type FactName =
  | 'discovered'
  | 'launch-attempted'
  | 'launch-accepted'
  | 'launch-refused'
  | 'launch-unknown'
  | 'observed'
  | 'diagnosed'
  | 'drifted'
  | 'delete-attempted'
  | 'delete-accepted'
  | 'delete-refused'
  | 'delete-unknown'
  | 'absence-observed'
  | 'absence-confirmed'
  | 'released';

type Owner = 'externalKey' | 'replicaId' | 'adapter' | 'rolloutId';
type FactData<Name extends FactName> = Omit<EventData<`davit.resource.${Name}`>, Owner>;

export type Facts = readonly [NewEvent, ...NewEvent[]];

/** Longest detail that an event may hold. */
const MAX_DETAIL = 2_000;

/** A fact about the replica's resource, as an event of the category that the backend writes. */
export function fact<Name extends FactName>(
  backend: ProviderBackend,
  replica: ReplicaState,
  name: Name,
  data: FactData<Name>,
): NewEvent {
  const { externalKey, id, rolloutId } = replica;
  const whose = rolloutId === undefined ? { replicaId: id } : { replicaId: null, rolloutId };
  const owner = { externalKey, ...whose, adapter: backend.adapter };
  const capped = 'detail' in data ? { ...data, detail: String(data.detail).slice(0, MAX_DETAIL) } : data;
  // Both categories share one set of data schemas, which the union of event types does not show.
  return { type: `davit.${backend.category}.${name}`, data: { ...owner, ...capped } } as unknown as NewEvent;
}

/** Where the wish is written that a resource is there for. */
export const wishStream = ({ id, rolloutId }: ReplicaState): string =>
  rolloutId === undefined ? stream.replica(id) : stream.rollout(rolloutId);

export const factStream = (backend: ProviderBackend, replica: ReplicaState): string =>
  backend.category === 'resource' ? stream.resource(replica.externalKey) : stream.endpoint(replica.externalKey);

/** The write of facts after version `expectedVersion` of the stream. */
export const factWrite = (
  backend: ProviderBackend,
  replica: ReplicaState,
  expectedVersion: number,
  events: Facts,
): Write => ({ stream: factStream(backend, replica), expectedVersion, events });
