import type { EventOf, RecordedEvent } from '@davit/contracts';
import type { Absence, Attempt, ReplicaState } from './state.js';

type ProviderFact = EventOf<'resource'> | EventOf<'endpoint'>;

export function isProviderFact(event: RecordedEvent): event is ProviderFact {
  return event.type.startsWith('davit.resource.') || event.type.startsWith('davit.endpoint.');
}

const NOT_ABSENT: Absence = { observedAt: [], confirmedAt: null, released: false };

/** Any sight of it ends the proof of absence; one that interrupts a proof is remembered. */
const seenAgain = ({ observedAt, reappearedAt }: Absence, at: string): Absence =>
  observedAt.length > 0
    ? { ...NOT_ABSENT, reappearedAt: at }
    : reappearedAt === undefined
      ? NOT_ABSENT
      : { ...NOT_ABSENT, reappearedAt };

/** Folds what was asked of, and seen at, the provider. */
export function evolveResource(state: ReplicaState, event: ProviderFact): ReplicaState {
  const next = { ...state, versions: { ...state.versions, resource: event.version } };
  const launch = (change: Partial<Attempt> & { readonly handle?: string | null }): ReplicaState =>
    next.launch ? { ...next, launch: { ...next.launch, since: event.time, ...change } } : next;
  const deletion = (change: Partial<Attempt>): ReplicaState =>
    next.deletion ? { ...next, deletion: { ...next.deletion, since: event.time, ...change } } : next;

  switch (event.type) {
    case 'davit.resource.discovered':
    case 'davit.endpoint.discovered': {
      const { attempt, outcome, detail } = event.data;
      const discovery =
        attempt === next.discovery.attempt
          ? { attempt, outcome, detail, at: event.time, position: event.position }
          : next.discovery;
      return { ...next, discovery, absence: outcome === 'present' ? NOT_ABSENT : next.absence };
    }
    case 'davit.resource.launch-attempted':
    case 'davit.endpoint.launch-attempted':
      return { ...launch({ outcome: 'attempted' }), absence: NOT_ABSENT };
    case 'davit.resource.launch-accepted':
    case 'davit.endpoint.launch-accepted':
      return launch({ outcome: 'accepted', handle: event.data.handle });
    case 'davit.resource.launch-refused':
    case 'davit.endpoint.launch-refused':
      return launch({ outcome: 'refused', class: event.data.class, detail: event.data.detail });
    case 'davit.resource.launch-unknown':
    case 'davit.endpoint.launch-unknown':
      return launch({ outcome: 'unknown', detail: event.data.detail });
    case 'davit.resource.observed':
    case 'davit.endpoint.observed': {
      const { phase, url, providerId, price, class: failureClass, detail } = event.data;
      return {
        ...next,
        price: price ?? next.price,
        resource: {
          phase,
          url,
          providerId,
          class: failureClass,
          detail,
          at: event.time,
          // What explained a start explains nothing once there is an address.
          ...(next.resource?.diagnosis && url === null ? { diagnosis: next.resource.diagnosis } : {}),
          ...(next.resource?.drift ? { drift: next.resource.drift } : {}),
        },
        absence: phase === 'unknown' ? next.absence : seenAgain(next.absence, event.time),
      };
    }
    case 'davit.resource.delete-attempted':
    case 'davit.endpoint.delete-attempted':
      return deletion({ outcome: 'attempted', attempt: event.data.attempt });
    case 'davit.resource.delete-accepted':
    case 'davit.endpoint.delete-accepted':
      return deletion({ outcome: 'accepted', detail: event.data.detail });
    case 'davit.resource.delete-refused':
    case 'davit.endpoint.delete-refused':
      return deletion({ outcome: 'refused', class: event.data.class, detail: event.data.detail });
    case 'davit.resource.delete-unknown':
    case 'davit.endpoint.delete-unknown':
      return deletion({ outcome: 'unknown', detail: event.data.detail });
    case 'davit.resource.absence-observed':
    case 'davit.endpoint.absence-observed':
      return { ...next, absence: { ...next.absence, observedAt: [...next.absence.observedAt, event.time].slice(-2) } };
    case 'davit.resource.absence-confirmed':
    case 'davit.endpoint.absence-confirmed':
      return { ...next, absence: { ...next.absence, confirmedAt: event.time } };
    case 'davit.resource.released':
    case 'davit.endpoint.released':
      return { ...next, absence: { ...next.absence, released: true } };
    case 'davit.resource.diagnosed':
    case 'davit.endpoint.diagnosed': {
      const { boundary, class: errorClass, detail, remedy } = event.data;
      const diagnosis = { boundary, class: errorClass, detail, remedy, since: event.time };
      return { ...next, resource: next.resource && { ...next.resource, diagnosis } };
    }
    case 'davit.resource.drifted':
    case 'davit.endpoint.drifted': {
      const { what, was, is } = event.data;
      return { ...next, resource: next.resource && { ...next.resource, drift: { what, was, is, since: event.time } } };
    }
    case 'davit.resource.orphan-found':
    case 'davit.endpoint.orphan-found':
    case 'davit.resource.orphan-cleared':
    case 'davit.endpoint.orphan-cleared':
    case 'davit.resource.adopted':
    case 'davit.endpoint.adopted':
      return next;
  }
}
