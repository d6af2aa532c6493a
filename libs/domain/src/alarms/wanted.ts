import { type DeploymentState, type FailedStarts, type ReplicaState } from '../lifecycle/state.js';
import { billedDeviation, budgetAlarm, describeBilled } from '../budget/alarms.js';
import type { BudgetVerdict } from '../budget/verdict.js';
import { readableMeter } from '../lifecycle/readable.js';
import { type Meter, describeSpent, isBilling, spentOn } from '../lifecycle/meter.js';
import { failedSlotsOf, isGivenUp, keepsFailing } from '../converge/slots.js';
import type { Patience } from '../wait/patience.js';
import { type Wait, type WaitReason, waitOf } from '../wait/wait-of.js';
import type { RolloutState } from '../rollout/state.js';
import { stuckRollbacks } from './rollbacks.js';
import { longPauses, longWaits } from './waiting.js';

export const ALARMS = [
  'failed-starts',
  'unanswered',
  'deletion-stuck',
  'blind',
  'waiting-long',
  'quarantined',
  'budget-near',
  'budget-exceeded',
  'budget-unknown',
  'price-deviation',
  'rollback-stuck',
] as const;
export type AlarmName = (typeof ALARMS)[number];

export type WantedAlarm = {
  readonly alarm: AlarmName;
  readonly about: string;
  readonly tenant: string;
  readonly severity: 'warning' | 'critical';
  readonly detail: string;
};

/** What the alarms are a function of. */
export type AlarmView = {
  /** Deployments with starts that were given up, or keep failing. */
  readonly failing: readonly DeploymentState[];
  /** Deployments with slots that wait for capacity. */
  readonly waiting: readonly DeploymentState[];
  /** Deployments that a user paused. */
  readonly paused: readonly DeploymentState[];
  /** Every replica that is not proven gone. */
  readonly present: readonly ReplicaState[];
  /** The replicas whose failed starts are counted in `failing`, as far as they are known. */
  readonly failed: ReadonlyMap<string, ReplicaState>;
  /** Rollouts on evidence that are not over. */
  readonly rollouts: readonly RolloutState[];
  /** How every budget stands that is set, of deployments and of tenants. */
  readonly budgets: readonly BudgetVerdict[];
  readonly patience: Patience;
  readonly nowMs: number;
};

/** A sum that still grows is told anew this often. */
const SUM_STEP_MS = 10 * 60_000;
/** So many slots are named in a detail. */
const NAMED = 3;
/** Waits that have their own alarm, as those for capacity and budget have at their slot, or that a deadline ends by itself. */
const OWN_END: ReadonlySet<WaitReason> = new Set([
  'starting',
  'draining',
  'deleting',
  'proving-absence',
  'quarantined',
  'fleet-frozen',
  'paused',
  'capacity',
  'budget',
]);
const UNANSWERED: ReadonlySet<WaitReason> = new Set(['discovery', 'discovery-unanswered', 'launch-unresolved']);

/** The alarms that should be up now: a level, not an edge (law 8). */
export function wantedAlarms(view: AlarmView): readonly WantedAlarm[] {
  return [
    ...view.failing.flatMap((deployment) => failedStarts(deployment, view)),
    ...longWaits(view),
    ...longPauses(view),
    ...view.present.flatMap((replica) => ofReplica(replica, view)),
    ...blind(view),
    ...view.budgets.flatMap((verdict) => budgetAlarm(verdict) ?? []),
    ...view.present.flatMap(priceDeviation),
    ...stuckRollbacks(view),
  ];
}

/** A bill that differs from the estimate: the estimates of this offer are not to be relied on. */
function priceDeviation({ id, tenant, meter }: ReplicaState): readonly WantedAlarm[] {
  // Books in disorder say nothing of a bill, and keep no other alarm from being raised (law 10).
  const read = meter && readableMeter(meter);
  const deviation = read && isBilling(read) ? billedDeviation(read) : null;
  if (!deviation) return [];
  return [{ alarm: 'price-deviation', about: id, tenant, severity: 'warning', detail: describeBilled(deviation) }];
}

function failedStarts(deployment: DeploymentState, { failed, nowMs }: AlarmView): readonly WantedAlarm[] {
  const { key, tenant } = deployment;
  const failing = failedSlotsOf(deployment).filter(([, starts]) => keepsFailing(deployment, starts));
  const givenUp = failing.filter(([, starts]) => isGivenUp(deployment, starts));
  const isOver = givenUp.length > 0;
  const slots = isOver ? givenUp : failing;
  const [first] = slots;
  if (!first) return [];
  const { paid, count, reason } = first[1];
  const told = isOver
    ? `${paid.length} starts in a row failed, each of which may have cost money; the last: ${reason}; spent so far: ${sumOf(slots, failed, nowMs)}`
    : `${count} starts in a row failed; the last: ${reason}; it is tried again ever less often`;
  const detail = `${namesOf(slots)}: ${told}; change what it is made of, or send \`davit retry ${key}\``;
  return [{ alarm: 'failed-starts', about: key, tenant, severity: isOver ? 'critical' : 'warning', detail }];
}

function namesOf(slots: readonly (readonly [string, FailedStarts])[]): string {
  const named = slots.slice(0, NAMED).map(([slot]) => {
    const [revision, ordinal] = slot.split('/');
    return `replica ${ordinal} of revision ${revision}`;
  });
  return [...named, ...(slots.length > NAMED ? [`and ${slots.length - NAMED} more`] : [])].join(', ');
}

function sumOf(
  slots: readonly (readonly [string, FailedStarts])[],
  failed: ReadonlyMap<string, ReplicaState>,
  nowMs: number,
): string {
  const ids = slots.flatMap(([, { paid }]) => paid);
  const meters = ids.flatMap((id): Meter[] => {
    const stored = failed.get(id)?.meter;
    const meter = stored && readableMeter(stored);
    return meter ? [meter] : [];
  });
  const spent = spentOn(meters, Math.floor(nowMs / SUM_STEP_MS) * SUM_STEP_MS);
  const billing = meters.filter(isBilling).length;
  const missing = ids.length - meters.length;
  return [
    describeSpent(spent),
    ...(billing > 0 ? [`${billing} of their machines still count as billing`] : []),
    ...(missing > 0 ? [`of ${missing} of them nothing is known, which is not nothing`] : []),
  ].join(', ');
}

function ofReplica(replica: ReplicaState, { patience, paused, nowMs }: AlarmView): readonly WantedAlarm[] {
  const wait = waitOf(replica, { patience, deployment: paused.find(({ key }) => key === replica.deployment) });
  if (!wait) return [];
  const raise = (alarm: AlarmName, severity: WantedAlarm['severity'], detail: string): readonly WantedAlarm[] => [
    { alarm, about: replica.id, tenant: replica.tenant, severity, detail },
  ];
  const lasts = (since: string, ms: number): boolean => nowMs - Date.parse(since) >= ms;
  if (wait.reason === 'quarantined') return raise('quarantined', 'critical', `${replica.reason}; it may bill`);
  if (replica.status === 'deleting' && lasts(replica.since, patience.deletionMs)) {
    const detail = `asked to go at ${replica.since} and not proven gone: it counts as billing (${deletionOf(replica)})`;
    return raise('deletion-stuck', 'critical', detail);
  }
  if (UNANSWERED.has(wait.reason) && lasts(wait.since, patience.unansweredMs)) {
    const severity = wait.reason === 'launch-unresolved' ? 'critical' : 'warning';
    return raise('unanswered', severity, `${wait.reason} without an answer since ${wait.since}`);
  }
  return OWN_END.has(wait.reason) || !lasts(wait.since, patience.waitMs)
    ? []
    : raise('waiting-long', 'warning', told(wait));
}

const told = ({ reason, since }: Pick<Wait, 'reason' | 'since'>): string => `waits for: ${reason}, since ${since}`;

const deletionOf = ({ deletion, absence }: ReplicaState): string => {
  if (absence.observedAt.length > 0) return 'seen absent, not yet proven';
  return deletion ? `deletion ${deletion.outcome} by attempt ${deletion.attempt}` : 'no deletion is known';
};

/** Adapters that show nothing of what we rent there. */
function blind({ present, patience, nowMs }: AlarmView): readonly WantedAlarm[] {
  const since = new Map<string, string>();
  for (const { adapter, resource } of present) {
    if (resource?.phase !== 'unknown' || nowMs - Date.parse(resource.at) < patience.blindMs) continue;
    const earlier = since.get(adapter);
    if (earlier === undefined || resource.at < earlier) since.set(adapter, resource.at);
  }
  return [...since].map(([adapter, at]) => ({
    alarm: 'blind',
    about: adapter,
    tenant: 'default',
    severity: 'critical',
    detail: `what is rented through ${adapter} cannot be seen since ${at}; it is neither called healthy nor gone`,
  }));
}
