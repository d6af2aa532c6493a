import {
  type AlarmState,
  type Calm,
  FLEET_KEY,
  type FleetState,
  type FleetView,
  type LossLimits,
  NO_FLEET,
  OBSERVER_ALARM,
  type ReplicaState,
  alarmKeyOf,
  decideFleet,
  groupOf,
  isSuspect,
  watchCalm,
} from '@davit/domain';
import type { Document, DocumentRef, ReadModel } from '@davit/projection';
import type { Controller } from '@davit/reconcile';
import { carryOut } from './carry-out.js';
import { type FleetMeters, NO_METERS } from './telemetry/meters.js';

const ABOUT = { tenant: 'default', correlationId: null };

/** Law 12: freezes the fleet when more of it falls ill at once than is believed, and thaws it. */
export function fleetController(limits: LossLimits, meters: FleetMeters = NO_METERS): Controller {
  // Not in the log: an instance that begins anew waits the whole interval again before it calls the fleet recovered.
  let calm: Calm | undefined;
  return {
    name: 'fleet',
    concurrency: 1,
    standingKeys: [FLEET_KEY],
    keysOf(ref, document) {
      if (document === undefined || !concerns(ref, document)) return [];
      if (ref.kind === 'fleet') meters.seen(document as unknown as FleetState); // the fold keeps this shape under this kind
      return [FLEET_KEY];
    },
    async reconcile(context) {
      const fleet = await fleetView(context.model, limits);
      const nowMs = context.nowMs();
      calm = watchCalm(calm, fleet, nowMs);
      return carryOut(context, decideFleet(fleet, calm?.sinceMs, nowMs), ABOUT);
    },
  };
}

/** The fleet as the read model shows it, with everybody who is ill. */
export async function fleetView(model: ReadModel, limits: LossLimits): Promise<FleetView> {
  const [state, suspects, observerAlarm] = await Promise.all([
    fleetState(model),
    model.list<ReplicaState>('replica', groupOf.suspects),
    model.get<AlarmState>('alarm', alarmKeyOf(OBSERVER_ALARM)),
  ]);
  return {
    state,
    suspects: suspects.map(({ document }) => document),
    observerIll: observerAlarm !== undefined,
    limits,
  };
}

export const fleetState = async (model: ReadModel): Promise<FleetState> =>
  (await model.get<FleetState>('fleet', FLEET_KEY))?.document ?? NO_FLEET;

const concerns = (ref: DocumentRef, document: Document): boolean =>
  ref.kind === 'fleet' || (ref.kind === 'replica' && isSuspect(document as unknown as ReplicaState)); // as above
