import type { NewEvent } from '@davit/contracts';
import { type EffectStep, groupOf, type RolloutState } from '@davit/domain';
import type { ReconcileResult } from '@davit/reconcile';
import type { Policy } from '../../vast/api/endpoints.js';
import { policyOf, serverlessOf } from '../../vast/policy.js';
import { writeEndpoint } from '../../vast/record/endpoint.js';
import { writeWorkergroup } from '../../vast/record/workergroup.js';
import { endpointIdOf, groupNow, holds, isNotSeen } from '../production/workers.js';
import { cut, type Turn } from '../turn.js';
import { wire } from './apply-bounds.js';

type RollBack = Extract<EffectStep, { do: 'roll-back' }>;

/** Points production at the template that served before, gives it its former bounds, and has its workers follow. */
export async function rollBack(turn: Turn, { attempt, to, reason, detail }: RollBack): Promise<ReconcileResult> {
  const { parts, state, plan, context } = turn;
  const attempted = await turn.append({
    type: 'davit.rollout.rollback-attempted',
    data: {
      ...{ rolloutId: state.id, reason, detail, attempt, workergroupId: plan.workergroupId, to },
      leaseEpoch: context.epoch,
    },
  });
  if (!attempted) return turn.soon;
  turn.jobs.end(state.id, 'sampling');
  const template = { id: to.templateId, hash: to.templateHash };
  const holdsLease = (): Promise<boolean> => context.holdsLease();
  const written = await writeWorkergroup(parts.client, plan.workergroupId, { template }, holdsLease);
  switch (written.outcome) {
    case 'written':
      return follow(turn, attempt, 'reply');
    case 'refused':
      return turn.record(refused(turn, attempt, written.class, written.detail));
    case 'differs':
      return turn.record(refused(turn, attempt, 'config', written.detail));
    case 'unknown':
      return turn.record({
        type: 'davit.rollout.rollback-unknown',
        data: { rolloutId: state.id, attempt, detail: cut(written.detail) },
      });
  }
}

/** Whoever asked is gone, or was not answered: what is stored tells whether it happened. */
export async function resolveRollback(turn: Turn, attempt: number): Promise<ReconcileResult> {
  const { parts, plan, state } = turn;
  const group = await groupNow(turn);
  if (isNotSeen(group)) return turn.notKnown('rollback', group);
  if (holds(group, plan.rollback)) return follow(turn, attempt, 'discovery');
  if (turn.nowMs - Date.parse(state.since) < parts.pace.visibleMs) return turn.soon;
  const detail = `workergroup ${group.id} holds template ${group.template_id ?? 'none'}: it was not carried out`;
  return turn.record(refused(turn, attempt, 'transient', detail));
}

async function follow(turn: Turn, attempt: number, resolvedBy: 'reply' | 'discovery'): Promise<ReconcileResult> {
  const { parts, plan, state, context } = turn;
  const group = await groupNow(turn);
  if (isNotSeen(group)) return turn.notKnown('rollback', group);
  const policy = await formerPolicy(turn);
  const bounded =
    policy && (await writeEndpoint(parts.client, endpointIdOf(group), { policy }, () => context.holdsLease()));
  if (bounded && bounded.outcome !== 'written') return turn.notKnown('former bounds', bounded.detail);
  // An update that is under way would hide whether this one has begun; to be asked twice does no harm.
  if (!(await context.holdsLease())) return turn.soon;
  const called = await parts.client.updateWorkers.start(group.id);
  if (called.kind !== 'confirmed') return turn.notKnown('rollback of workers', called.detail);
  return turn.record({
    type: 'davit.rollout.rollback-triggered',
    data: { rolloutId: state.id, attempt, readBack: plan.rollback, resolvedBy },
  });
}

/** Bounds of the last rollout that was accepted, or what was declared with the revision that served. */
async function formerPolicy({ context, deployment, state }: Turn): Promise<Policy | undefined> {
  const rollouts = await context.model.list<RolloutState>('rollout', groupOf.rolloutsOf(deployment.key));
  const accepted = rollouts
    .map(({ document }) => document)
    .filter(({ phase, revision }) => isAccepted(phase) && revision === state.fromRevision)
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
    .at(-1);
  if (accepted?.bounds) return wire(accepted.bounds);
  const spec = deployment.revisions[state.fromRevision];
  const compute = spec && serverlessOf(spec);
  return compute && policyOf(compute);
}

const isAccepted = (phase: RolloutState['phase']): boolean => phase.name === 'over' && phase.outcome === 'accepted';

type ErrorClass = Extract<NewEvent, { type: 'davit.rollout.rollback-refused' }>['data']['class'];

const refused = ({ state }: Turn, attempt: number, errorClass: ErrorClass, detail: string): NewEvent => ({
  type: 'davit.rollout.rollback-refused',
  data: { rolloutId: state.id, attempt, class: errorClass, detail: cut(detail) },
});
