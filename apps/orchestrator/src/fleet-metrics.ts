import type { FleetState } from '@davit/domain';
import type { Metrics } from '@davit/service-kit';

/** What is shown of law 12 while it works. */
export type FleetMeters = {
  /** The fleet's document, at each change, at every instance. */
  seen(fleet: FleetState): void;
  /** A serving replica was given up by this instance. */
  lost(): void;
};

export const NO_METERS: FleetMeters = { seen: () => undefined, lost: () => undefined };

/** Series that exist from the start: nothing frozen, nothing lost. */
export function fleetMetrics(metrics: Metrics): FleetMeters {
  let frozen = 0;
  metrics.gauge('davit_fleet_frozen', '1 while nothing is given up on observation (law 12)', () => frozen);
  const losses = metrics.counter('davit_fleet_losses_total', 'Serving replicas given up because of what was observed');
  return {
    seen: (fleet) => void (frozen = Number(fleet.frozen !== null)),
    lost: () => losses.inc(),
  };
}
