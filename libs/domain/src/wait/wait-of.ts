import { isHeldByPause } from '../deployment/pause.js';
import { isHeld } from '../fleet/give-up.js';
import { QUIET_FLEET } from '../fleet/illness.js';
import {
  type DeploymentState,
  type FleetState,
  type Pause,
  type ReplicaState,
  isReopened,
  isSuspect,
} from '../lifecycle/state.js';
import { DEFAULT_REPLICA_TIMINGS } from '../replica/decide.js';
import { DEFAULT_PATIENCE, type Patience } from './patience.js';

export const WAIT_REASONS = [
  'discovery',
  'discovery-unanswered',
  'advice',
  'capacity',
  'budget',
  'launch-queued',
  'launch-unresolved',
  'starting',
  'route',
  'route-withdrawal',
  'fleet-frozen',
  'paused',
  'draining',
  'deleting',
  'proving-absence',
  'decision',
  'quarantined',
] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** What something waits for (law 9): why, since when, until when at most, and what happens then. */
export type Wait<Reason extends string = WaitReason> = {
  readonly reason: Reason;
  readonly since: string;
  /** Null where only a person ends the wait; an alarm is up then. */
  readonly deadline: string | null;
  readonly next: string;
};

export type WaitView = {
  readonly deployment?: DeploymentState | undefined;
  readonly fleet?: FleetState | undefined;
  readonly patience?: Patience;
  readonly adviceDeadlineMs?: number;
};

const plus = (instant: string, ms: number): string => new Date(Date.parse(instant) + ms).toISOString();

/** What a replica waits for; null while it serves, and once it is proven gone. Every other state has an answer. */
export function waitOf(replica: ReplicaState, view: WaitView = {}): Wait | null {
  const { patience = DEFAULT_PATIENCE, fleet, deployment } = view;
  if (fleet?.frozen && isHeld(replica, deployment, { ...QUIET_FLEET, state: fleet }))
    return frozen(replica, fleet.frozen);
  if (deployment?.paused && isHeldByPause(replica, deployment)) return paused(replica, deployment, deployment.paused);
  switch (replica.status) {
    case 'requested':
      return requested(replica, patience, view.adviceDeadlineMs ?? DEFAULT_REPLICA_TIMINGS.adviceDeadlineMs);
    case 'deferred':
      return {
        reason: replica.waitsFor ?? 'capacity',
        // The wait is the slot's: what it waited with replicas that were refused counts as well.
        since:
          deployment?.waits[`${replica.revision}/${replica.ordinal}`]?.since ?? replica.waitsSince ?? replica.since,
        deadline: replica.retryAt ?? replica.since,
        next: `${replica.waitsFor === 'budget' ? 'stock, prices and budgets are' : 'stock is'} looked at again: ${replica.reason}`,
      };
    case 'launching':
      return launching(replica, patience);
    case 'ready':
      return ready(replica, view.fleet, patience);
    case 'draining':
      return draining(replica);
    case 'failed':
      return replica.route.registered ? withdrawal(replica, patience) : decision(replica, patience, 'it is deleted');
    case 'drained':
      return decision(replica, patience, 'it is deleted');
    case 'deleting':
      return deleting(replica, patience);
    case 'deleted':
      return isReopened(replica) ? decision(replica, patience, 'its deletion is asked for again') : null;
    case 'quarantined':
      return {
        reason: 'quarantined',
        since: replica.since,
        deadline: null,
        next: `a person looks at it: ${replica.reason}; \`davit retry ${replica.deployment}\` deletes it`,
      };
  }
}

/** The next step is orchestrator's own, at once. */
const decision = ({ since }: ReplicaState, { unansweredMs }: Patience, next: string): Wait => ({
  reason: 'decision',
  since,
  deadline: plus(since, unansweredMs),
  next,
});

const frozen = ({ since }: ReplicaState, freeze: NonNullable<FleetState['frozen']>): Wait => ({
  reason: 'fleet-frozen',
  since: since > freeze.since ? since : freeze.since,
  deadline: null,
  next: `nothing is given up on observation alone: ${freeze.detail}`,
});

const paused = ({ since }: ReplicaState, { key }: DeploymentState, pause: Pause): Wait => ({
  reason: 'paused',
  since: since > pause.since ? since : pause.since,
  deadline: null,
  next: `a person sends \`davit resume ${key}\`: ${pause.reason}`,
});

const withdrawal = ({ since, drain }: ReplicaState, { unansweredMs }: Patience): Wait => ({
  reason: 'route-withdrawal',
  since,
  deadline: drain?.deadlineAt ?? plus(since, unansweredMs),
  next: 'router-registry takes it out of the route table',
});

function requested(replica: ReplicaState, patience: Patience, adviceDeadlineMs: number): Wait {
  const { discovery, since, adapter } = replica;
  switch (discovery.outcome) {
    case 'pending':
      return {
        reason: 'discovery',
        since,
        deadline: plus(since, patience.unansweredMs),
        next: `the agent of ${adapter} looks for a thing of this name`,
      };
    case 'unknown':
      return {
        reason: 'discovery-unanswered',
        since,
        deadline: plus(since, patience.unansweredMs),
        next: `the agent of ${adapter} looks again; nothing is asked for before it knows: ${discovery.detail}`,
      };
    case 'present':
    case 'absent': {
      const at = discovery.at ?? since;
      const next = 'it is placed, with what is known of stock then';
      return { reason: 'advice', since: at, deadline: plus(at, adviceDeadlineMs), next };
    }
  }
}

function launching(replica: ReplicaState, patience: Patience): Wait {
  const { launch, adapter } = replica;
  if (!launch || launch.outcome === 'refused') return decision(replica, patience, 'it is given up');
  const wait = (reason: WaitReason, next: string): Wait => {
    const since = reason === 'starting' ? replica.since : launch.since;
    return { reason, since, deadline: launch.deadlineAt, next };
  };
  switch (launch.outcome) {
    case 'requested':
      return wait('launch-queued', `the agent of ${adapter} launches it when it is its turn`);
    case 'attempted':
    case 'unknown':
      return wait(
        'launch-unresolved',
        `the agent of ${adapter} finds out by looking; it is never launched again blindly`,
      );
    case 'accepted':
      return wait('starting', 'it is ready, or deleted and proven gone before the next start');
  }
}

function ready(replica: ReplicaState, fleet: FleetState | undefined, patience: Patience): Wait | null {
  if (isSuspect(replica)) {
    if (fleet?.frozen) return frozen(replica, fleet.frozen);
    return decision(replica, patience, 'it is given up and replaced, unless too many are ill at once');
  }
  if (replica.route.registered) return null;
  const since = replica.route.changedAt ?? replica.since;
  return { reason: 'route', since, deadline: plus(since, patience.unansweredMs), next: 'router-registry routes to it' };
}

function draining(replica: ReplicaState): Wait {
  const { drain, route, since } = replica;
  const deadline = drain?.deadlineAt ?? since;
  if (route.registered) {
    return { reason: 'route-withdrawal', since, deadline, next: 'router-registry takes it out of the route table' };
  }
  return { reason: 'draining', since: route.changedAt ?? since, deadline, next: 'requests in work end or are cut' };
}

function deleting(replica: ReplicaState, patience: Patience): Wait {
  const { absence, since, adapter } = replica;
  const deadline = plus(since, patience.deletionMs);
  const [first] = absence.observedAt;
  if (absence.confirmedAt !== null || absence.released) return decision(replica, patience, 'it is called deleted');
  return first === undefined
    ? {
        reason: 'deleting',
        since,
        deadline,
        next: `the agent of ${adapter} deletes it; until proven gone it counts as billing`,
      }
    : { reason: 'proving-absence', since: first, deadline, next: 'two spaced looks and an inventory prove it gone' };
}
