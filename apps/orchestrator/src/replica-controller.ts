import { stream } from '@davit/contracts';
import {
  type BudgetAccount,
  DEFAULT_LOSS_LIMITS,
  type Decision,
  type DeploymentState,
  type FleetView,
  type LossLimits,
  QUIET_FLEET,
  type ReplicaState,
  type ReplicaTimings,
  aheadInBudget,
  decideReplica,
  deploymentKeyOf,
  groupOf,
  isBelieved,
  isGone,
  isReopened,
  isSuspect,
} from '@davit/domain';
import type { Document, ReadModel } from '@davit/projection';
import type { Controller, ReconcileResult } from '@davit/reconcile';
import { BudgetReader, settingsOf } from './budgets.js';
import { type About, carryOut } from './carry-out.js';
import { fleetState, fleetView } from './fleet-controller.js';
import { type FleetMeters, NO_METERS } from './telemetry/meters.js';
import { placementView } from './placement-view.js';
import { decideOrSetAside, writeOrSetAside } from './set-aside.js';

/** For each of those ahead of it: they are placed one after the other, in milliseconds once the advisor has answered. */
const TURN_MS = 100;
const LONGEST_TURN_MS = 2_000;

/** `replica.provision`, `replica.heal` and `replica.delete`: one replica, from intent to proven absence. */
export function replicaController(
  timings: ReplicaTimings,
  limits: LossLimits = DEFAULT_LOSS_LIMITS,
  meters: FleetMeters = NO_METERS,
  reader: BudgetReader = new BudgetReader(),
): Controller {
  return {
    name: 'replica',
    keysOf: (ref, document) => (ref.kind === 'replica' && isAlive(document) ? [ref.key] : []),
    async reconcile(context) {
      const replica = (await context.model.get<ReplicaState>('replica', context.key))?.document;
      if (!replica) return {};
      const deployment = (await context.model.get<DeploymentState>('deployment', replica.deployment))?.document;
      const fleet = await fleetOf(replica, context.model, limits);
      const nowMs = context.nowMs();
      const { accounts, requires, ahead } = await spending(reader, replica, deployment, context.model);
      if (ahead > 0) return { requeueAfterMs: Math.min(ahead * TURN_MS, LONGEST_TURN_MS) };
      const view = await placementView(replica, deployment, accounts, context.model, nowMs);
      const decide = (): Decision => decideReplica(replica, deployment, nowMs, timings, fleet, view);
      const decision = decideOrSetAside(replica, decide, context.logger);
      const { tenant, correlationId } = replica;
      const write = (decided: Decision): Promise<ReconcileResult> =>
        carryOut(context, decided, { tenant, correlationId, requires }, (events) => meters.decided(replica, events));
      return writeOrSetAside(replica, decision, write, context.logger);
    },
  };
}

type Requires = Required<Pick<About, 'requires'>>;
type Spending = Requires & {
  readonly accounts: readonly BudgetAccount[];
  /** So many are placed before it. */
  readonly ahead: number;
};

/** Budgets matter to what is to be placed; all others are not asked for. */
async function spending(
  reader: BudgetReader,
  replica: ReplicaState,
  deployment: DeploymentState | undefined,
  model: ReadModel,
): Promise<Spending> {
  const { status, discovery } = replica;
  if (!deployment || status !== 'requested' || discovery.outcome !== 'absent')
    return { accounts: [], requires: [], ahead: 0 };
  const settings = await settingsOf(model, deployment);
  const accounts = await reader.accountsOf(model, deployment);
  const queues = accounts.map(({ replicas }) => aheadInBudget(replica, replicas));
  const { ahead, requires } = await pastPaused(queues, model);
  return { accounts, requires: [...settings, ...requires], ahead };
}

/**
 * A replica whose deployment is paused keeps nobody waiting. What is placed meanwhile rests on the pause: were it over, that replica
 * would be placed first.
 */
async function pastPaused(
  queues: readonly (readonly string[])[],
  model: ReadModel,
): Promise<Requires & Pick<Spending, 'ahead'>> {
  if (queues.every(({ length }) => length === 0)) return { ahead: 0, requires: [] };
  const found = await model.list<DeploymentState>('deployment', groupOf.paused);
  const passed = found.filter(({ key }) => queues.flat().some((id) => deploymentKeyOf(id) === key));
  const rests = new Set(passed.map(({ key }) => key));
  const waiting = queues.map((queue) => queue.filter((id) => !rests.has(deploymentKeyOf(id) ?? '')).length);
  const requires = passed.map(({ key, document }) => ({ stream: stream.deployment(key), version: document.version }));
  return { ahead: Math.max(...waiting), requires };
}

/** What a freeze, or the deaths of others, may have to say about it: nothing, for all but the ill, the lost and the starting. */
async function fleetOf(replica: ReplicaState, model: ReadModel, limits: LossLimits): Promise<FleetView> {
  const ill = isSuspect(replica);
  if (!ill && replica.status !== 'failed' && replica.status !== 'launching') return { ...QUIET_FLEET, limits };
  const state = await fleetState(model);
  // Each of many who are ill would read all the others, again and again, only to hear what the freeze or the thaw says already.
  if (!ill || state.frozen || isBelieved(state, replica)) return { ...QUIET_FLEET, limits, state };
  return fleetView(model, limits);
}

/** The dead are kept for ever; looking at each of them at every walk would cost more from year to year. One may come back. */
function isAlive(document: Document | undefined): boolean {
  if (document === undefined) return false;
  const replica = document as ReplicaState; // the lifecycle fold keeps replicas under this kind
  return !isGone(replica) || isReopened(replica);
}
