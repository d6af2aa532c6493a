import { type NewEvent, stream } from '@davit/contracts';
import { type Decision, NOTHING, type Write, waitUntil } from '../decision.js';
import { type FleetView, type Standing, recheckMs, standingOf } from './illness.js';

/** The alarm that is up while the fleet is frozen. */
const FROZEN_ALARM = { alarm: 'fleet-frozen', about: 'fleet' } as const;

/** As many names as an event holds. */
const NAMED = 50;

/**
 * Freezes the fleet when more replicas are lost or ill at once than may be, and thaws it on an order, once it has been calm for
 * an interval, or when the freeze has lasted as long as it may. `calmSinceMs`: since when a frozen fleet has been seen within
 * its limits; undefined when it is not, or was not looked at before.
 */
export function decideFleet(fleet: FleetView, calmSinceMs: number | undefined, nowMs: number): Decision {
  const { state, limits } = fleet;
  const standing = standingOf(fleet, nowMs);
  const { frozen, thawOrdered } = state;
  if (!frozen) return standing.tooMany ? freeze(fleet, standing) : NOTHING;

  if (thawOrdered) return thaw(fleet, 'overridden', `ordered: ${thawOrdered.reason}`);
  const limitMs = Date.parse(frozen.since) + limits.freezeLimitMs;
  const ill = `${standing.suspects.length} of ${standing.serving} replicas are seen ill`;
  if (isCalm(fleet, nowMs)) {
    const calmMs = (calmSinceMs ?? nowMs) + limits.intervalMs;
    if (nowMs >= calmMs) return thaw(fleet, 'recovered', `${ill}, for ${limits.intervalMs / 1_000} s`);
  }
  if (nowMs >= limitMs) {
    return thaw(fleet, 'time-limit', `${ill} after ${limits.freezeLimitMs / 1_000} s: taken for what they are`);
  }
  return waitUntil(Math.min(nowMs + recheckMs(limits), limitMs));
}

/** Within its limits, as far as can be seen now. */
export const isCalm = (fleet: FleetView, nowMs: number): boolean => !standingOf(fleet, nowMs).tooMany;

function freeze({ state, limits }: FleetView, { lost, suspects, serving, allowed }: Standing): Decision {
  const seconds = limits.intervalMs / 1_000;
  const detail =
    `${lost} of ${serving} replicas were given up in ${seconds} s and ${suspects.length} more are seen ill, where at most ` +
    `${Math.floor(allowed)} may be: the observer may be what is ill. Nothing is given up, deleted or reaped on observation ` +
    'until the fleet recovers, or somebody orders the thaw because the deaths are real';
  const replicas = suspects.map(({ id }) => id).slice(0, NAMED);
  return changed(
    state.version,
    {
      type: 'davit.fleet.frozen',
      data: { lost, suspects: suspects.length, serving, intervalMs: limits.intervalMs, replicas, detail },
    },
    { type: 'davit.fleet.alarm-raised', data: { ...FROZEN_ALARM, severity: 'critical', detail } },
  );
}

const thaw = ({ state }: FleetView, why: 'recovered' | 'overridden' | 'time-limit', detail: string): Decision =>
  changed(
    state.version,
    { type: 'davit.fleet.thawed', data: { why, detail } },
    { type: 'davit.fleet.alarm-cleared', data: { ...FROZEN_ALARM, detail: `${why}: ${detail}` } },
  );

function changed(version: number, state: NewEvent, alarm: NewEvent): Decision {
  const writes: Write[] = [
    { stream: stream.fleetLosses, expectedVersion: version, events: [state] },
    { stream: stream.fleetAlarms, expectedVersion: 'any', events: [alarm] },
  ];
  return { writes, wakeAtMs: null };
}
