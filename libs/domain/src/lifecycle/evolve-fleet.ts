import type { RecordedEvent } from '@davit/contracts';
import type { AlarmState, FleetState } from './state.js';

export const FLEET_KEY = 'fleet';
/** Losses remembered: none that is older than the longest interval that can be configured, and a quarter of 8 000 replicas. */
const LOSS_MEMORY_MS = 3_600_000;
const LOSSES_KEPT = 2_000;
/** The fleet before anything served. */
export const NO_FLEET: FleetState = {
  tenant: 'default',
  serving: 0,
  losses: [],
  frozen: null,
  thawOrdered: null,
  believedBefore: null,
  version: 0,
};

/** True for events that change the document of the whole fleet. */
export function changesFleet(event: RecordedEvent): boolean {
  switch (event.type) {
    case 'davit.replica.ready':
    case 'davit.replica.drain-requested':
    case 'davit.fleet.replica-lost':
    case 'davit.fleet.frozen':
    case 'davit.fleet.thawed':
    case 'davit.fleet.thaw-ordered':
      return true;
    case 'davit.replica.failed':
      return event.data.hadServed;
    default:
      return false;
  }
}

/** Folds one event into what law 12 counts. */
export function evolveFleet(state: FleetState = NO_FLEET, event: RecordedEvent): FleetState {
  const next = event.stream === 'fleet/losses' ? { ...state, version: event.version } : state;
  switch (event.type) {
    case 'davit.replica.ready':
      return { ...next, serving: next.serving + 1 };
    case 'davit.replica.drain-requested':
      return { ...next, serving: Math.max(0, next.serving - 1) };
    case 'davit.replica.failed':
      return event.data.hadServed ? { ...next, serving: Math.max(0, next.serving - 1) } : next;
    case 'davit.fleet.replica-lost': {
      const { replicaId, illSince } = event.data;
      if (illSince !== undefined && wasBelieved(next, illSince)) return next;
      const fromMs = Date.parse(event.time) - LOSS_MEMORY_MS;
      const recent = next.losses.filter(({ at }) => Date.parse(at) > fromMs);
      return { ...next, losses: [...recent, { replicaId, at: event.time }].slice(-LOSSES_KEPT) };
    }
    case 'davit.fleet.frozen':
      return { ...next, frozen: { since: event.time, detail: event.data.detail }, thawOrdered: null };
    case 'davit.fleet.thawed': {
      // What was lost before is settled; only what is lost from now on counts.
      const believedBefore = event.data.why === 'recovered' ? next.believedBefore : event.time;
      return { ...next, frozen: null, thawOrdered: null, believedBefore, losses: [] };
    }
    case 'davit.fleet.thaw-ordered':
      return next.frozen ? { ...next, thawOrdered: { at: event.time, reason: event.data.reason } } : next;
    default:
      return next;
  }
}

/** True for an illness that somebody, or the limit of a freeze, has called real. */
export const wasBelieved = ({ believedBefore }: FleetState, illSince: string): boolean =>
  believedBefore !== null && Date.parse(illSince) <= Date.parse(believedBefore);

export const alarmKeyOf = ({ alarm, about }: { readonly alarm: string; readonly about: string }): string =>
  `${alarm} ${about}`;

/** Folds one event into an alarm; undefined once it is cleared. */
export function evolveAlarm(state: AlarmState | undefined, event: RecordedEvent): AlarmState | undefined {
  switch (event.type) {
    case 'davit.fleet.alarm-raised': {
      const { alarm, about, severity, detail } = event.data;
      return { tenant: event.tenant, alarm, about, severity, detail, since: state?.since ?? event.time };
    }
    case 'davit.fleet.alarm-cleared':
      return undefined;
    default:
      return state;
  }
}
