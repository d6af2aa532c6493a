import { isCalm } from './decide.js';
import { type FleetView, recheckMs } from './illness.js';

/** How a frozen fleet has been seen within its limits, look after look, by one watcher. */
export type Calm = {
  /** Which freeze it is about. */
  readonly frozenSince: string;
  readonly sinceMs: number;
  readonly lastLookMs: number;
};

/** Looks so far apart that as many were missed: somebody else may have watched, and seen it ill. */
const LOOKS_MISSED = 3;

/** What one more look adds. Calm begins anew with each freeze, and wherever the watch was interrupted. */
export function watchCalm(before: Calm | undefined, fleet: FleetView, nowMs: number): Calm | undefined {
  const { frozen } = fleet.state;
  if (!frozen || !isCalm(fleet, nowMs)) return undefined;
  const goesOn =
    before?.frozenSince === frozen.since && nowMs - before.lastLookMs <= LOOKS_MISSED * recheckMs(fleet.limits);
  return { frozenSince: frozen.since, sinceMs: goesOn ? before.sinceMs : nowMs, lastLookMs: nowMs };
}
