import type { UnreadyReason } from '@davit/contracts';

/** So much evidence against a server that works, in points, and it counts as unready. */
export const ENOUGH = 60;

/**
 * What one failed probe weighs, in points. Nobody listening is stronger than slowness: a saturated server answers its health
 * check in seconds, and probes that took that for death have restarted healthy fleets (gonka pull 1421).
 */
export const POINTS: Readonly<Record<UnreadyReason, number>> = {
  hung: ENOUGH,
  'model-mismatch': ENOUGH,
  'engine-dead': 30,
  asleep: 30,
  refused: 20,
  unauthorised: 20,
  unhealthy: 20,
  'not-a-model-server': 20,
  'inference-failed': 20,
  loading: 12,
  warming: 12,
  timeout: 12,
  other: 12,
};

/** What gateways report weighs at most together: less than enough, so that no report ends what answers its probes. */
export const MOST_TRAFFIC_POINTS = 40;
