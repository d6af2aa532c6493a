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
      const { accounts, requires } = await spending(reader, replica, deployment, context.model);
      const ahead = Math.max(0, ...accounts.map(({ replicas }) => aheadInBudget(replica, replicas).length));
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

type Spending = { readonly accounts: readonly BudgetAccount[] } & Required<Pick<About, 'requires'>>;

/** Budgets matter to what is to be placed; all others are not asked for. */
async function spending(
  reader: BudgetReader,
  { status, discovery }: ReplicaState,
  deployment: DeploymentState | undefined,
  model: ReadModel,
): Promise<Spending> {
  if (!deployment || status !== 'requested' || discovery.outcome !== 'absent') return { accounts: [], requires: [] };
  const requires = await settingsOf(model, deployment);
  return { accounts: await reader.accountsOf(model, deployment), requires };
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
