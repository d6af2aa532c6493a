import { EVERY_TENANT, type RecordedEvent } from '@davit/contracts';
import { isOrphanStream } from '../lifecycle/evolve-orphan.js';
import type { AlarmState, OrphanState } from '../lifecycle/state.js';

/** Tenants to whom something belongs: each of them has to be permitted. `fleet` belongs to those alone who may see every tenant. */
export type Owner = readonly string[] | 'fleet';

/** Where facts of no tenant were written, before they had a name of their own. */
const DEFAULT_TENANT = 'default';
const NAMED = /^[a-z][a-z0-9-]*(?=\/[a-z])/;

/** Whose an event is, from what it is about: the tenant beside it says so only for what always belongs to one. */
export function ownerOfEvent(event: RecordedEvent): Owner {
  switch (event.type) {
    case 'davit.fleet.alarm-raised':
    case 'davit.fleet.alarm-cleared':
      return ownerOfAlarm({ ...event.data, tenant: event.tenant });
    case 'davit.fleet.replica-lost':
      return namedIn(event.data.replicaId);
    case 'davit.access.key-created':
    case 'davit.access.key-rotated':
    case 'davit.access.key-revoked':
    case 'davit.webhook.registered':
    case 'davit.webhook.removed':
    case 'davit.webhook.progressed':
    case 'davit.webhook.dead-lettered':
    case 'davit.webhook.suspended':
    case 'davit.webhook.resumed':
    case 'davit.webhook.redelivery-requested':
    case 'davit.webhook.redelivered':
      return event.data.tenants === 'all' ? 'fleet' : event.data.tenants;
    case 'davit.intent.received':
      return event.data.verb === 'thaw' || event.data.verb === 'reap' ? 'fleet' : ownerNamed(event.tenant);
    case 'davit.intent.accepted': {
      const { about = '' } = event.data;
      return about === 'fleet' || isOrphanStream(about) ? 'fleet' : ownerNamed(event.tenant);
    }
    default:
      return ownerByCategory(event);
  }
}

const ownerNamed = (tenant: string): Owner => (tenant === EVERY_TENANT ? 'fleet' : [tenant]);

function ownerByCategory(event: RecordedEvent): Owner {
  const [, category] = event.type.split('.');
  if (category === 'fleet') return 'fleet';
  const isOrphan = isOrphanStream(event.stream);
  if (category !== 'capacity' && !isOrphan) return ownerNamed(event.tenant);
  const { data, tenant } = event;
  const about = ('replicaId' in data && data.replicaId) || ('rolloutId' in data && data.rolloutId) || '';
  // What is left of a canary names no replica, and is its tenant's all the same.
  return isOrphan && about === '' ? ownerOfOrphan({ replicaId: null, tenant }) : namedIn(about);
}

/** What an alarm is about names its tenant; one about a thing that nobody owns is the fleet's. */
export function ownerOfAlarm({ alarm, about, tenant }: Pick<AlarmState, 'alarm' | 'about' | 'tenant'>): Owner {
  if (alarm.startsWith('budget-')) return [tenant];
  if (isOrphanStream(about)) return tenant === DEFAULT_TENANT ? 'fleet' : [tenant];
  return namedIn(about);
}

export const ownerOfOrphan = ({ replicaId, tenant }: Pick<OrphanState, 'replicaId' | 'tenant'>): Owner =>
  replicaId === null && tenant === DEFAULT_TENANT ? 'fleet' : [tenant];

function namedIn(about: string): Owner {
  const tenant = NAMED.exec(about)?.[0];
  return tenant === undefined ? 'fleet' : [tenant];
}
