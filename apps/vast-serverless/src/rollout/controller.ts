import {
  beginningOf,
  type DeploymentState,
  groupOf,
  isRolloutOver,
  nextStep,
  type ReplicaState,
  type RolloutState,
} from '@davit/domain';
import { createBackendRegistry } from '@davit/provider-kit';
import type { Document } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { beginRollout } from './begin.js';
import { canaryDriver } from './canary/drive.js';
import { Jobs } from './jobs/jobs.js';
import type { RolloutParts } from './parts.js';
import { perform } from './perform.js';
import { endLoadFirst } from './jobs/ramp.js';
import { Turn } from './turn.js';

/**
 * Carries out rollouts on evidence, one deployment at a time and one step a pass. What comes next stands in the log alone; what runs
 * beside the passes is load: its deployment stays with whoever sends it, and who takes over after a crash begins it anew.
 */
export function rolloutController(parts: RolloutParts): Controller {
  const jobs = new Jobs(parts.clock, parts.pace.orphanedLoadMs);
  const canary = canaryDriver(parts, createBackendRegistry([parts.backend]));
  return {
    name: 'rollout',
    keysOf: ({ kind, key }, document) => deploymentsOf(kind, key, document),
    async reconcile(context) {
      const deployment = (await context.model.get<DeploymentState>('deployment', context.key))?.document;
      if (!deployment || !concerns(deployment)) return {};
      const replicas = await replicasOf(context, deployment);
      const beginning = beginningOf(deployment, replicas);
      if (beginning) return beginRollout(parts, context, { deployment, replicas, beginning });
      const state = await present(context, deployment);
      if (!state) return {};
      if (isRolloutOver(state)) {
        jobs.endAll(state.id);
        return {};
      }
      const replica = replicas.find(({ id }) => id === state.replicaId);
      const view = { nowMs: context.nowMs(), deployment, replica, installation: parts.installation };
      const turn = new Turn(parts, context, state, view, jobs);
      const result = await jobs.during(
        state.id,
        () => context.holdsLease(),
        () => take(turn, canary),
      );
      return { ...result, keepsLease: jobs.areUnderWay(state.id) };
    },
  };
}

/** One step. Load that runs is heard out, or ended, before anything else is decided. */
async function take(turn: Turn, canary: ReturnType<typeof canaryDriver>): Promise<ReconcileResult> {
  const next = nextStep(turn.state, turn.view);
  const load = await endLoadFirst(turn, next);
  if (load) return load;
  switch (next.kind) {
    case 'done':
      return {};
    case 'append':
      return turn.write(...next.events);
    case 'wait': {
      const { deadlineAt } = next;
      return deadlineAt === null ? {} : { requeueAfterMs: Math.max(0, Date.parse(deadlineAt) - turn.nowMs) };
    }
    case 'perform': {
      const result = await perform(turn, next.step, canary);
      const untilMs = next.deadlineAt === null ? Infinity : Date.parse(next.deadlineAt) - turn.nowMs;
      return { requeueAfterMs: Math.max(1, Math.min(result.requeueAfterMs ?? turn.parts.pace.lookMs, untilMs)) };
    }
  }
}

const concerns = ({ rollout, spec }: DeploymentState): boolean =>
  rollout !== undefined || spec.spec.rollout.strategy === 'evidence';

async function replicasOf({ model }: ReconcileContext, { key }: DeploymentState): Promise<readonly ReplicaState[]> {
  const found = await model.list<ReplicaState>('replica', groupOf.present(key));
  return found.map(({ document }) => document).filter(({ adapter }) => adapter === 'vast-serverless');
}

async function present({ model }: ReconcileContext, { rollout }: DeploymentState): Promise<RolloutState | undefined> {
  return rollout && (await model.get<RolloutState>('rollout', rollout.id))?.document;
}

/** Deployments that a changed document may ask a step of. */
function deploymentsOf(kind: string, key: string, document: Document | undefined): readonly string[] {
  if (kind === 'deployment') return [key];
  if (kind !== 'replica' && kind !== 'rollout') return [];
  const deployment = document?.['deployment'];
  const isOurs = kind === 'rollout' || document?.['adapter'] === 'vast-serverless';
  return isOurs && typeof deployment === 'string' ? [deployment] : [];
}
