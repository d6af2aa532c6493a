import { type RecordedEvent, categoryOf, streamKeyOf } from '@davit/contracts';
import { isProviderFact } from './evolve-resource.js';
import { evolveOrphanMeter } from './orphan-meter.js';
import type { Attempt, OrphanState } from './state.js';

/** Names an orphan for ever by what it is at the provider, apart from the thing of the same name that a replica owns. */
export const orphanKeyOf = (adapter: string, externalKey: string, providerId: string | null): string =>
  `${adapter}:${externalKey}@${providerId ?? ''}`;

/** Streams of orphans carry an `@`, which no external key does. */
export const isOrphanStream = (stream: string): boolean => stream.includes('@');

const ASKED: Attempt = { attempt: 0, outcome: 'requested', since: '', class: null, detail: '' };
const NOT_ABSENT = { observedAt: [], confirmedAt: null, released: false };

/** Folds one event into an orphan. */
export function evolveOrphan(state: OrphanState | undefined, event: RecordedEvent): OrphanState | undefined {
  const next = evolveStatus(state, event);
  const meter = evolveOrphanMeter(state?.meter, event);
  return next && meter ? { ...next, meter } : next;
}

function evolveStatus(state: OrphanState | undefined, event: RecordedEvent): OrphanState | undefined {
  if (event.type === 'davit.fleet.reap-approved') {
    return state && { ...state, approved: { intentId: event.data.intentId, at: event.time } };
  }
  if (!isProviderFact(event) || !isOrphanStream(event.stream)) return state;
  if (event.type === 'davit.resource.orphan-found' || event.type === 'davit.endpoint.orphan-found') {
    const { externalKey, adapter, providerId, replicaId, reason, policy, quarantinedUntil, price, detail } = event.data;
    return {
      key: streamKeyOf(event.stream),
      tenant: event.tenant,
      externalKey,
      adapter,
      category: categoryOf(event.stream) === 'endpoint' ? 'endpoint' : 'resource',
      providerId,
      replicaId,
      reason,
      policy,
      status: 'quarantined',
      foundAt: event.time,
      quarantinedUntil,
      price,
      approved: null,
      deletion: null,
      // One that comes back is found anew; its attempts go on, because none is ever told twice.
      attempts: state?.attempts ?? 0,
      absence: NOT_ABSENT,
      detail,
      version: event.version,
    };
  }
  if (!state) return state;
  const next = { ...state, version: event.version };
  const deletion = (outcome: Attempt['outcome'], change: Partial<Attempt>): OrphanState => ({
    ...next,
    status: 'reaping',
    deletion: { ...(state.deletion ?? ASKED), outcome, since: event.time, ...change },
    attempts: Math.max(state.attempts ?? 0, change.attempt ?? 0),
  });
  const [, , fact] = event.type.split('.');
  switch (fact) {
    case 'orphan-cleared':
      return { ...next, status: 'cleared' };
    case 'observed':
      return { ...next, absence: NOT_ABSENT };
    case 'delete-attempted':
    case 'delete-accepted':
    case 'delete-refused':
    case 'delete-unknown': {
      const outcome = fact.slice('delete-'.length) as Attempt['outcome']; // the four names above are outcomes
      const detail = 'detail' in event.data ? event.data.detail : '';
      const attempt = 'attempt' in event.data ? event.data.attempt : 1;
      const failure = 'class' in event.data ? event.data.class : null;
      return deletion(outcome, { attempt, detail, class: failure });
    }
    case 'absence-observed':
      return { ...next, absence: { ...next.absence, observedAt: [...next.absence.observedAt, event.time].slice(-2) } };
    case 'absence-confirmed':
      return { ...next, status: 'gone', absence: { ...next.absence, confirmedAt: event.time } };
    default:
      return next;
  }
}
