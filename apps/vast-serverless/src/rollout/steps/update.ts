import type { NewEvent } from '@davit/contracts';
import type { EffectStep } from '@davit/domain';
import { sleep } from '@davit/ports';
import type { ReconcileResult } from '@davit/reconcile';
import { writeEndpoint } from '../../vast/record/endpoint.js';
import { writeWorkergroup } from '../../vast/record/workergroup.js';
import { verifyTemplate } from '../../vast/template/create.js';
import type { GroupRow } from '../../vast/api/workergroups.js';
import { seenBefore } from '../production/look.js';
import { endpointIdOf, groupNow, holds, isNotSeen, type NotSeen, workersOf } from '../production/workers.js';
import { cut, type Turn } from '../turn.js';
import { wire } from './apply-bounds.js';

type Update = Extract<EffectStep, { do: 'update' }>;

/** Points production at the candidate: bounds first, then the template, read back; then it is seen whether workers move. */
export async function update(turn: Turn, step: Update): Promise<ReconcileResult> {
  const { parts, state, plan, context } = turn;
  const objection = await objectionTo(turn, step);
  if (objection) return objection;
  const group = await groupNow(turn);
  if (isNotSeen(group)) return turn.notKnown('update', group);
  const before = await seenBefore(turn, endpointIdOf(group));
  if (isNotSeen(before)) return turn.notKnown('workers before the update', before);
  const { attempt, from, to, bounds, approval } = step;
  const announced: NewEvent = {
    type: 'davit.rollout.update-attempted',
    data: {
      ...{ rolloutId: state.id, workergroupId: plan.workergroupId, attempt, from, to, bounds, approval },
      leaseEpoch: context.epoch,
    },
  };
  const attempted = await turn.append(announced, ...before);
  if (!attempted) return turn.soon;
  const holdsLease = (): Promise<boolean> => context.holdsLease();
  const bounded = await writeEndpoint(parts.client, endpointIdOf(group), { policy: wire(bounds) }, holdsLease);
  if (bounded.outcome !== 'written') return turn.record(answerOf(turn, attempt, bounded));
  const template = { id: to.templateId, hash: to.templateHash };
  const written = await writeWorkergroup(parts.client, group.id, { template }, holdsLease);
  if (written.outcome !== 'written') return turn.record(answerOf(turn, attempt, written));
  return trigger(turn, attempt, written.after, 'reply');
}

/** Neither template may have changed since it was recorded: without the old one there is no way back. */
async function objectionTo(turn: Turn, { from, to }: Update): Promise<ReconcileResult | undefined> {
  const { parts, state } = turn;
  const back = await verifyTemplate(parts.client, { id: from.templateId, hash: from.templateHash });
  const forth = await verifyTemplate(parts.client, { id: to.templateId, hash: to.templateHash });
  for (const check of [back, forth]) {
    if (check.outcome === 'unknown' || check.outcome === 'denied')
      return turn.notKnown('templates', { notSeen: check.detail, isDenied: check.outcome === 'denied' });
    if (check.outcome === 'as-recorded') continue;
    const reason = check === back ? 'rollback-target-lost' : 'candidate-failed';
    return turn.write({
      type: 'davit.rollout.withdrawn',
      data: { rolloutId: state.id, reason, detail: cut(check.detail) },
    });
  }
  return undefined;
}

type NotWritten =
  | { readonly outcome: 'differs' | 'unknown'; readonly detail: string }
  | {
      readonly outcome: 'refused';
      readonly class: Extract<NewEvent, { type: 'davit.rollout.update-refused' }>['data']['class'];
      readonly detail: string;
    };

function answerOf({ state }: Turn, attempt: number, written: NotWritten): NewEvent {
  const common = { rolloutId: state.id, attempt, detail: cut(written.detail) };
  switch (written.outcome) {
    case 'refused':
      return { type: 'davit.rollout.update-refused', data: { ...common, class: written.class } };
    case 'differs':
      return { type: 'davit.rollout.update-refused', data: { ...common, class: 'config' } };
    case 'unknown':
      return { type: 'davit.rollout.update-unknown', data: common };
  }
}

/** Whoever asked is gone, or was not answered: what is stored tells whether it happened. */
export async function resolveUpdate(turn: Turn, attempt: number): Promise<ReconcileResult> {
  const { state, parts } = turn;
  const group = await groupNow(turn);
  if (isNotSeen(group)) return turn.notKnown('update', group);
  if (state.template && holds(group, state.template)) return trigger(turn, attempt, group, 'discovery');
  if (turn.nowMs - Date.parse(state.since) < parts.pace.visibleMs) return turn.soon;
  const detail = `workergroup ${group.id} holds template ${group.template_id ?? 'none'}: the change was not carried out`;
  return turn.record({
    type: 'davit.rollout.update-refused',
    data: { rolloutId: state.id, attempt, class: 'transient', detail },
  });
}

/** The change alone may start the update of workers, or may not: where nothing moves within two rounds, it is asked for. */
async function trigger(
  turn: Turn,
  attempt: number,
  group: GroupRow,
  resolvedBy: 'reply' | 'discovery',
): Promise<ReconcileResult> {
  const { state } = turn;
  const called = await setGoing(turn, group);
  if (isNotSeen(called)) return turn.notKnown('update of workers', called);
  const { template_id: templateId, template_hash: templateHash } = group;
  return turn.record({
    type: 'davit.rollout.update-triggered',
    data: {
      ...{ rolloutId: state.id, attempt, resolvedBy, ...called },
      readBack: { templateId: templateId ?? 0, templateHash: templateHash ?? '' },
    },
  });
}

const ROUNDS = 2;
const MOVES = /^(update|reboot)/;

type Going = { readonly updateCall: 'called' | 'not-needed'; readonly workersToUpdate: number | null };

/**
 * Sees whether workers begin an update; where none does, has them updated. One that has the candidate already proves nothing: it may be
 * new, rented for the bounds that were written before.
 */
async function setGoing(turn: Turn, group: GroupRow): Promise<Going | NotSeen> {
  const { parts, context } = turn;
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(parts.clock, parts.pace.tickMs);
    const workers = await workersOf(turn, endpointIdOf(group));
    if (isNotSeen(workers)) continue;
    if (workers.some(({ status }) => MOVES.test(status))) return { updateCall: 'not-needed', workersToUpdate: null };
  }
  if (!(await context.holdsLease())) return { notSeen: 'the lease was lost before the call' };
  const reply = await parts.client.updateWorkers.start(group.id);
  if (reply.kind !== 'confirmed') return { notSeen: reply.detail };
  return { updateCall: 'called', workersToUpdate: reply.value.workersToUpdate };
}
