import type { Launch, ReplicaState } from '../lifecycle/state.js';

export type ResourceTimings = {
  /** Between two looks at a resource that is starting, or whose fate is unclear. */
  readonly lookMs: number;
  /** Between two looks at a resource that serves. */
  readonly steadyLookMs: number;
  /** Least time between the two observations that prove absence. */
  readonly absenceSpacingMs: number;
  /** A provider may show a resource only this long after it accepted the launch. */
  readonly visibilityMs: number;
  /** A launch whose caller died may be carried out this long after it was attempted: the program it ran lives on. */
  readonly launchMs: number;
  /** A delete without visible effect for this long is asked for again. */
  readonly deleteRetryMs: number;
};

export const DEFAULT_RESOURCE_TIMINGS: ResourceTimings = {
  lookMs: 1_000,
  steadyLookMs: 15_000,
  absenceSpacingMs: 20_000,
  visibilityMs: 30_000,
  launchMs: 120_000,
  deleteRetryMs: 60_000,
};

/** The one next thing that the agent of a backend does for a replica. */
export type ResourceStep =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly untilMs: number }
  | { readonly do: 'discover'; readonly attempt: number }
  | { readonly do: 'launch'; readonly attempt: number }
  /** A launch was attempted and its answer never arrived: find out by looking, never by launching again. */
  | { readonly do: 'resolve-launch'; readonly attempt: number; readonly giveUp: boolean }
  | { readonly do: 'observe'; readonly againMs: number }
  | { readonly do: 'delete'; readonly attempt: number }
  /** Look by key; an absence seen now would be the second, and the inventory decides. */
  | { readonly do: 'look-for-absence'; readonly confirm: boolean; readonly againMs: number };

const NOTHING: ResourceStep = { do: 'nothing' };

/** Pure and level-triggered: the same state always gives the same step, however often it is asked. */
export function nextResourceStep(
  replica: ReplicaState,
  nowMs: number,
  timings: ResourceTimings = DEFAULT_RESOURCE_TIMINGS,
): ResourceStep {
  switch (replica.status) {
    case 'requested':
      return replica.discovery.outcome === 'pending' || replica.discovery.outcome === 'unknown'
        ? { do: 'discover', attempt: replica.discovery.attempt }
        : NOTHING;
    case 'launching':
    case 'ready':
    case 'draining':
      return sustain(replica, nowMs, timings);
    case 'deleting':
      return remove(replica, nowMs, timings);
    case 'deferred':
    case 'drained':
    case 'failed':
    case 'deleted':
    case 'quarantined':
      return NOTHING;
  }
}

function sustain(replica: ReplicaState, nowMs: number, timings: ResourceTimings): ResourceStep {
  const { launch } = replica;
  if (!launch) return NOTHING;
  const ageMs = nowMs - Date.parse(launch.since);
  switch (launch.outcome) {
    case 'requested':
      return { do: 'launch', attempt: launch.attempt };
    case 'attempted':
    case 'unknown':
      return { do: 'resolve-launch', attempt: launch.attempt, giveUp: ageMs >= hiddenMs(launch, timings) };
    case 'refused':
      return NOTHING;
    case 'accepted':
      // Proven gone, and not given up yet: it is looked at on, since what reappears was not gone.
      if (replica.absence.confirmedAt !== null)
        return { do: 'look-for-absence', confirm: false, againMs: timings.steadyLookMs };
      if (replica.absence.observedAt.length > 0) return lookForAbsence(replica, nowMs, timings);
      return { do: 'observe', againMs: replica.status === 'launching' ? timings.lookMs : timings.steadyLookMs };
  }
}

function remove(replica: ReplicaState, nowMs: number, timings: ResourceTimings): ResourceStep {
  const { deletion, absence } = replica;
  if (!deletion || absence.confirmedAt !== null || absence.released) return NOTHING;
  const attempt = deletion.attempt + 1;
  if (deletion.outcome === 'requested') return { do: 'delete', attempt };
  // What was gone and is back was not ended by the deletion asked for before: ask again at once.
  if (absence.reappearedAt !== undefined && absence.reappearedAt > deletion.since) return { do: 'delete', attempt };
  const stale = nowMs - Date.parse(deletion.since) >= timings.deleteRetryMs;
  if (absence.observedAt.length === 0 && stale) return { do: 'delete', attempt };
  return lookForAbsence(replica, nowMs, timings);
}

function lookForAbsence({ absence }: ReplicaState, nowMs: number, timings: ResourceTimings): ResourceStep {
  const first = absence.observedAt[0];
  const againMs = timings.lookMs;
  if (first === undefined) return { do: 'look-for-absence', confirm: false, againMs };
  const secondDueMs = Date.parse(first) + timings.absenceSpacingMs;
  return nowMs < secondDueMs
    ? { do: 'wait', untilMs: secondDueMs }
    : { do: 'look-for-absence', confirm: true, againMs };
}

/**
 * Whether an absence seen now means anything: right after an accepted launch a provider may not show the resource yet,
 * which is not absence.
 */
export function mayBeInvisible(
  { launch }: ReplicaState,
  nowMs: number,
  timings: ResourceTimings = DEFAULT_RESOURCE_TIMINGS,
): boolean {
  if (!launch || launch.outcome === 'requested' || launch.outcome === 'refused') return false;
  return nowMs - Date.parse(launch.since) < hiddenMs(launch, timings);
}

/** How long a launch may leave nothing to be seen and yet come to something; longer where nobody heard its caller end. */
const hiddenMs = ({ outcome }: Launch, { launchMs, visibilityMs }: ResourceTimings): number =>
  outcome === 'attempted' ? launchMs + visibilityMs : visibilityMs;
