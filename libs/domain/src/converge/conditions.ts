import { type NewEvent, counted, servesOf } from '@davit/contracts';
import { withinBudget } from '../budget/condition.js';
import type { BudgetVerdict } from '../budget/verdict.js';
import {
  type Condition,
  type DeploymentState,
  type Pause,
  type ReplicaState,
  type SlotWait,
  isGone,
  isLive,
} from '../lifecycle/state.js';
import { rolloutProgress } from './rollout-progress.js';
import type { HeldSlot, HoldReason } from './slots.js';

type Wanted = { readonly condition: 'Available' | 'Progressing' | 'WithinBudget' } & Omit<Condition, 'since'>;

/** What decides the conditions beside the replicas themselves. */
export type ConvergenceView = {
  readonly deployment: DeploymentState;
  /** Those not proven gone. */
  readonly replicas: readonly ReplicaState[];
  readonly desired: number;
  /** Slots that stay empty for now, each with its reason and until when. */
  readonly held: readonly HeldSlot[];
  /** How the budgets stand that hold for it. */
  readonly budgets: readonly BudgetVerdict[];
  readonly nowMs: number;
};

/** A refusal for want of stock this recent still says something of a rollout that needs more machines than there are. */
const REFUSAL_MATTERS_MS = 10 * 60_000;

/** So many are named in a message. */
const NAMED = 3;

/** The word for a slot that stays empty, gravest first. */
const HOLDS: readonly (readonly [HoldReason, string])[] = [
  ['given-up', 'GivenUp'],
  ['budget', 'HeldByBudget'],
  ['back-off', 'BackingOff'],
  ['proving-absence', 'ProvingAbsence'],
  ['making-room', 'MakingRoom'],
];

/** Whether requests can be served, whether a change is under way, whether it is within its budgets. Only changes become events. */
export function conditionChanges(view: ConvergenceView): NewEvent[] {
  const { conditions, generation } = view.deployment;
  return [availability(view), progress(view), ...budget(view)]
    .filter(({ condition, status, reason, message }) => {
      const present = conditions[condition];
      return present?.status !== status || present.reason !== reason || present.message !== message;
    })
    .map((data) => ({ type: 'davit.deployment.condition-changed', data: { ...data, generation } }));
}

function budget({ deployment, replicas, budgets, held }: ConvergenceView): readonly Wanted[] {
  const empty = held.filter(({ reason }) => reason === 'budget').length;
  const deferred = replicas.filter(({ status, waitsFor }) => status === 'deferred' && waitsFor === 'budget').length;
  const heldBack = empty + deferred;
  const told = withinBudget(budgets, heldBack, deployment.conditions['WithinBudget']);
  return told ? [{ condition: 'WithinBudget', ...told }] : [];
}

export const isServing = (replica: ReplicaState): boolean => replica.status === 'ready' && replica.route.registered;

function availability({ replicas, desired }: ConvergenceView): Wanted {
  const serving = replicas.filter(isServing).length;
  const message = servesOf(serving, desired);
  const available = (status: 'true' | 'false', reason: string): Wanted => ({
    condition: 'Available',
    status,
    reason,
    message,
  });
  if (desired === 0) return { ...available('false', 'ScaledToZero'), message: 'no replica is wanted' };
  if (serving >= desired) return available('true', 'AllReplicasServe');
  return serving > 0 ? available('true', 'SomeReplicasServe') : available('false', 'NoReplicaServes');
}

const progressing = (reason: string, message: string, status: 'true' | 'false' = 'true'): Wanted => ({
  condition: 'Progressing',
  status,
  reason,
  message,
});

function progress(view: ConvergenceView): Wanted {
  const { deployment, replicas, desired, held } = view;
  const { revision } = deployment;
  const present = replicas.filter((replica) => !isGone(replica));
  if (deployment.status === 'deleting') {
    return progressing(
      'Deleting',
      `${counted(present.length, 'replica')} ${present.length === 1 ? 'is' : 'are'} not yet proven gone`,
    );
  }
  if (deployment.paused) return whilePaused(deployment, deployment.paused, present);
  const rolling = rolloutProgress(deployment);
  if (rolling) return { condition: 'Progressing', ...rolling };
  const current = present.filter((replica) => replica.revision === revision && isLive(replica));
  const serving = Math.min(desired, current.filter(isServing).length);
  if (serving === desired && present.length === desired) {
    return progressing('Converged', `revision ${revision} is as declared`, 'false');
  }
  const others = present.length - Math.min(desired, current.length);
  const counts = `revision ${revision}: ${serving} of ${desired} serve, ${others} others still to go`;
  const quarantined = present.filter(({ status }) => status === 'quarantined');
  if (quarantined.length > 0) {
    const names = some(quarantined, ({ id, reason }) => `${id} is quarantined (${reason})`);
    const remedy = `look at it, then send \`davit retry ${deployment.key}\``;
    return progressing('Quarantined', [counts, ...names, remedy].join('; '), 'false');
  }
  const own = held.filter((slot) => slot.revision === revision);
  const [, hold] = HOLDS.find(([reason]) => own.some((slot) => slot.reason === reason)) ?? [];
  const waits = some(held, (slot) =>
    slot.revision === revision ? slot.message : `of revision ${slot.revision}, ${slot.message}`,
  );
  if (hold !== undefined) {
    const message = [counts, ...waits, ...spareCapacity(view)].join('; ');
    return progressing(hold, message, hold === 'GivenUp' ? 'false' : 'true');
  }
  const message = [counts, ...waits, ...spareCapacity(view)].join('; ');
  const lacks = new Set(waitsOf(view).map(({ waitsFor }) => waitsFor));
  if (lacks.has('capacity')) return progressing('WaitingForCapacity', message);
  return progressing(lacks.has('budget') ? 'HeldByBudget' : 'Converging', message);
}

/** Whatever else is so: it is not Davit that will change it. */
function whilePaused(
  { key, revision, activeRevision, spec }: DeploymentState,
  { since, reason }: Pause,
  present: readonly ReplicaState[],
): Wanted {
  const serving = present.filter(isServing).length;
  const rollout =
    activeRevision === null || activeRevision === revision ? [] : [`revision ${revision} waits to take over`];
  const counts = servesOf(serving, spec.spec.scaling.replicas);
  const remedy = `nothing is started, replaced or deleted before \`davit resume ${key}\``;
  return progressing('Paused', [`paused since ${since} (${reason})`, counts, ...rollout, remedy].join('; '), 'false');
}

/**
 * Waits of the slots of the newest revision, which last through all the replicas that a slot loses over them. Where the
 * provider shows a machine, it is what is waited for.
 */
function waitsOf({ deployment, replicas }: ConvergenceView): readonly SlotWait[] {
  const { revision, waits } = deployment;
  const shown = new Set(
    replicas.flatMap((replica) =>
      isLive(replica) && (replica.meter?.seen.length ?? 0) > 0 ? [`${replica.revision}/${replica.ordinal}`] : [],
    ),
  );
  return Object.entries(waits).flatMap(([slot, wait]) =>
    slot.startsWith(`${revision}/`) && !shown.has(slot) ? [wait] : [],
  );
}

/** The first few in words, and how many more there are: of a thousand, nobody reads each. */
function some<Item>(items: readonly Item[], told: (item: Item) => string): readonly string[] {
  const named = items.slice(0, NAMED).map(told);
  return items.length > NAMED ? [...named, `and ${items.length - NAMED} more`] : named;
}

/** A rollout that needs machines beside those that serve may wait for ever where there are no others. */
function spareCapacity(view: ConvergenceView): readonly string[] {
  const { deployment, nowMs } = view;
  const { activeRevision, revision, refusals, spec } = deployment;
  if (activeRevision === null || activeRevision === revision || spec.spec.rollout.strategy !== 'surge') return [];
  const waits = waitsOf(view).some(({ waitsFor }) => waitsFor === 'capacity');
  const refused = refusals.some(({ at }) => nowMs - Date.parse(at) < REFUSAL_MATTERS_MS);
  if (!waits && !refused) return [];
  return [
    `there is no capacity beside what revision ${activeRevision} uses; with spec.rollout.strategy "in-place" it would give up its machines one by one`,
  ];
}
