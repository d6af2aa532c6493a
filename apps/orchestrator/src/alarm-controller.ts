import {
  type AlarmState,
  DEFAULT_PATIENCE,
  type DeploymentState,
  type Patience,
  type ReplicaState,
  type RolloutState,
  decideAlarms,
  groupOf,
  hasFailingStarts,
  judgeBudget,
  wantedAlarms,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { Controller } from '@davit/reconcile';
import { BudgetReader } from './budgets.js';

const KEY = 'alarms';
/** Alarms tell of what lasts for minutes: a look this often is soon enough. */
const LOOK_MS = 30_000;

/** Keeps the alarms of deployments and replicas as they should be: raised while something is so, and no longer. */
export function alarmController(
  reader: BudgetReader = new BudgetReader(),
  patience: Patience = DEFAULT_PATIENCE,
): Controller {
  return {
    name: 'alarms',
    concurrency: 1,
    standingKeys: [KEY],
    keysOf: (ref, document) =>
      // The lifecycle fold keeps deployments under this kind.
      ref.kind === 'deployment' && document !== undefined && hasFailingStarts(document as DeploymentState) ? [KEY] : [],
    async reconcile(context) {
      const { model, logger } = context;
      const [present, failing, waiting, paused, rollouts, raised, accounts] = await Promise.all([
        listOf<ReplicaState>(model, 'replica', groupOf.anyPresent),
        listOf<DeploymentState>(model, 'deployment', groupOf.failingStarts),
        listOf<DeploymentState>(model, 'deployment', groupOf.waiting),
        listOf<DeploymentState>(model, 'deployment', groupOf.paused),
        listOf<RolloutState>(model, 'rollout', groupOf.openRollouts),
        listOf<AlarmState>(model, 'alarm'),
        reader.all(model),
      ]);
      const failed = await failedOf(model, failing);
      const nowMs = context.nowMs();
      const budgets = accounts.map((account) => judgeBudget(account, nowMs));
      const wanted = wantedAlarms({
        ...{ failing, waiting, paused, present, failed, rollouts, budgets, patience, nowMs },
      });
      for (const { tenant, stream, events } of decideAlarms(wanted, raised)) {
        await context.append([{ stream, expectedVersion: 'any', events }], { tenant });
        logger.info({ tenant, alarms: events.map(({ type, data }) => ({ type, data })) }, 'alarms changed');
      }
      return { requeueAfterMs: LOOK_MS };
    },
  };
}

async function listOf<Shape extends AlarmState | DeploymentState | ReplicaState | RolloutState>(
  model: ReadModel,
  kind: string,
  group?: string,
): Promise<readonly Shape[]> {
  const found = await model.list<Shape>(kind, group);
  return found.map(({ document }) => document);
}

/** The replicas whose starts failed: what they cost is part of the alarm. */
async function failedOf(
  model: ReadModel,
  deployments: readonly DeploymentState[],
): Promise<ReadonlyMap<string, ReplicaState>> {
  const ids = deployments.flatMap(({ failedStarts }) => Object.values(failedStarts).flatMap(({ paid }) => paid));
  const found = await Promise.all(ids.map((id) => model.get<ReplicaState>('replica', id)));
  return new Map(found.flatMap((stored) => (stored ? [[stored.key, stored.document] as const] : [])));
}
