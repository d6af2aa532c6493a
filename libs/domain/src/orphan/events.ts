import { type NewEvent, stream } from '@davit/contracts';
import type { Write } from '../decision.js';
import { orphanKeyOf } from '../lifecycle/evolve-orphan.js';
import type { OrphanState } from '../lifecycle/state.js';
import type { SeenThing } from './claim.js';

/** Which backend shows the things, and where the facts about them are written. */
export type OrphanScope = { readonly adapter: string; readonly category: 'resource' | 'endpoint' };

export const ORPHAN_ALARM = 'orphan';
/** Longest detail that an event may hold. */
const MAX_DETAIL = 2_000;

type Fact =
  | 'observed'
  | 'orphan-found'
  | 'orphan-cleared'
  | 'drifted'
  | 'delete-unknown'
  | 'absence-observed'
  | 'absence-confirmed';
type Owner = { readonly externalKey: string; readonly replicaId: string | null };

/** A fact about a thing, as an event of the category that its backend writes. */
export function thingFact(
  { adapter, category }: OrphanScope,
  { externalKey, replicaId }: Owner,
  name: Fact,
  data: object,
): NewEvent {
  const detail = 'detail' in data ? { detail: String(data.detail).slice(0, MAX_DETAIL) } : {};
  const whole = { externalKey, replicaId, adapter, ...data, ...detail };
  // Both categories share one set of data schemas, which the union of event types does not show.
  return { type: `davit.${category}.${name}`, data: whole } as unknown as NewEvent;
}

/** The thing as it is seen now. */
export const sightData = ({ phase, providerId, price, detail }: SeenThing) => ({
  phase,
  url: null,
  providerId,
  price,
  class: null,
  detail,
});

/** The stream of an orphan, apart from that of the thing which a replica owns. */
const orphanStream = ({ adapter, category }: OrphanScope, externalKey: string, providerId: string | null) =>
  `${category}/${orphanKeyOf(adapter, externalKey, providerId)}`;

export const orphanWrite = (
  scope: OrphanScope,
  orphan: Pick<OrphanState, 'externalKey' | 'providerId'> & { readonly version?: number },
  ...events: [NewEvent, ...NewEvent[]]
): Write => ({
  stream: orphanStream(scope, orphan.externalKey, orphan.providerId),
  expectedVersion: orphan.version ?? 0,
  events,
});

/** The stream in which the owner of a name has its facts: where it stands still, no owner has done anything. */
export const ownerStreamOf = ({ category }: OrphanScope, externalKey: string): string =>
  category === 'resource' ? stream.resource(externalKey) : stream.endpoint(externalKey);

const alarms = (event: NewEvent): Write => ({ stream: stream.fleetAlarms, expectedVersion: 'any', events: [event] });

export const alarmRaised = (about: string, detail: string): Write =>
  alarms({
    type: 'davit.fleet.alarm-raised',
    data: { alarm: ORPHAN_ALARM, severity: 'warning', about, detail },
  });

export const alarmCleared = (about: string, detail: string): Write =>
  alarms({ type: 'davit.fleet.alarm-cleared', data: { alarm: ORPHAN_ALARM, about, detail } });
