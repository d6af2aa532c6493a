import type { DeletionPlan } from '@davit/contracts';
import {
  type Departure,
  type DeploymentState,
  type ReplicaState,
  type RolloutState,
  type RouteState,
  departuresOf,
  isBilling,
  isRolloutOver,
  rateNow,
} from '@davit/domain';
import { stateWord } from '../views/replica-view.js';

export interface DeletionInput {
  readonly deployment: DeploymentState;
  /** Those not proven gone. */
  readonly replicas: readonly ReplicaState[];
  /** Of every alias that leads to one of them. */
  readonly routes: readonly RouteState[];
  readonly rollouts: readonly RolloutState[];
  readonly position: number;
  readonly nowMs: number;
}

/** What deleting a deployment would do. */
export function deletionPlanOf({
  deployment,
  replicas,
  routes,
  rollouts,
  position,
  nowMs,
}: DeletionInput): DeletionPlan {
  const { key, status, generation } = deployment;
  const departures = departuresOf(deployment, replicas, nowMs);
  const open = rollouts.find((rollout) => !isRolloutOver(rollout));
  const canary = open?.canary && !open.canary.removed ? open.canary : null;
  const meters = [...replicas.map(({ meter }) => meter), canary?.meter ?? null].filter((meter) => meter !== null);
  const { amounts, unpriced } = rateNow(meters);
  return {
    deployment: key,
    status,
    generation,
    routes: routes.flatMap((route) => withdrawal(route, key)),
    replicas: departures.map(rowOf),
    rollout: open ? { id: open.id, phase: open.phase.name, canary: canary?.externalKey ?? null } : null,
    billing: { hourly: [...amounts], unpriced },
    notes: notesOf(deployment, departures),
    position,
  };
}

function withdrawal({ alias, targets }: RouteState, key: string): DeletionPlan['routes'] {
  const own = targets.filter(({ deployment }) => deployment === key);
  if (own.length === 0) return [];
  return [{ alias, withdrawn: own.map(({ replica }) => replica), left: targets.length - own.length }];
}

function rowOf({ replica, step, drainUntil }: Departure): DeletionPlan['replicas'][number] {
  const { id, externalKey, adapter, mode, load, meter, price } = replica;
  return {
    id,
    externalKey,
    adapter,
    state: stateWord(replica),
    step,
    drainUntil,
    running: load?.running ?? null,
    keepsRunning: mode === 'direct',
    billing: meter !== null && isBilling(meter),
    price,
  };
}

function notesOf({ key, status, paused }: DeploymentState, departures: readonly Departure[]): string[] {
  const busy = departures.filter(({ step, replica }) => step === 'drain' && (replica.load?.running ?? 0) > 0);
  return [
    ...(status === 'deleting' ? [`${key} is being deleted already; asking again changes nothing.`] : []),
    ...(paused ? [`${key} is paused; it is deleted all the same.`] : []),
    ...(busy.length > 0 ? [`Requests that have not ended when a drain is over are cut.`] : []),
    ...(departures.length > 0
      ? ['Each counts as billing until its absence is proven, which takes two looks and an inventory.']
      : []),
  ];
}
