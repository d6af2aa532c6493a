import type { RecordedEvent } from '@davit/contracts';
import { type FleetState, type ReplicaState, type ReplicaStatus, decisionOf, statusAfter } from '@davit/domain';
import { type Metrics, single } from '@davit/service-kit';
import { FLEET_FROZEN, FLEET_LOSSES, STATUS_SECONDS } from './definitions.js';

/** What is counted where it happens. */
export type FleetMeters = {
  /** The fleet's document, at each change, at every instance. */
  seen(fleet: FleetState): void;
  /** What this instance decided of a replica, in order; the replica is as it was before. */
  decided(replica: ReplicaState, events: readonly RecordedEvent[]): void;
};

export const NO_METERS: FleetMeters = { seen: () => undefined, decided: () => undefined };

/** Series that exist from the start: nothing frozen, nothing lost. */
export function fleetMeters(metrics: Metrics): FleetMeters {
  let frozen = 0;
  metrics.gauge(FLEET_FROZEN, () => single(frozen));
  const losses = metrics.counter(FLEET_LOSSES);
  const stays = metrics.histogram(STATUS_SECONDS);
  return {
    seen: (fleet) => void (frozen = Number(fleet.frozen !== null)),
    decided(replica, events) {
      for (const { type } of events) if (type === 'davit.fleet.replica-lost') losses.inc();
      for (const { status, seconds } of staysIn(replica, events)) stays.observe({ status }, seconds);
    },
  };
}

type Stay = { readonly status: ReplicaStatus; readonly seconds: number };

/** The statuses that a replica leaves by these events, with the time that it was in each. */
export function staysIn(
  replica: Pick<ReplicaState, 'status' | 'since'>,
  events: readonly RecordedEvent[],
): readonly Stay[] {
  let { status, since }: Pick<ReplicaState, 'status' | 'since'> = replica;
  const stays: Stay[] = [];
  for (const event of events) {
    if (!isDecision(event)) continue;
    const next = statusAfter(status, decisionOf(event.type));
    if (next === undefined || next === status) continue;
    stays.push({ status, seconds: Math.max(0, Date.parse(event.time) - Date.parse(since)) / 1_000 });
    status = next;
    since = event.time;
  }
  return stays;
}

type DecisionType = Parameters<typeof decisionOf>[0];
const isDecision = (event: RecordedEvent): event is RecordedEvent & { readonly type: DecisionType } =>
  event.type.startsWith('davit.replica.') && event.type !== 'davit.replica.requested';
