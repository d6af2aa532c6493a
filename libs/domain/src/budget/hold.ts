import type { DeploymentState, HeldBack, ReplicaState } from '../lifecycle/state.js';
import type { HeldSlot } from '../converge/slots.js';
import type { BudgetRoom, Money } from '../placement/limits.js';
import { hasRoomFor, isExhausted } from './room.js';

/** What decides whether a budget leaves a slot empty. */
export type BudgetHoldView = {
  readonly deployment: DeploymentState;
  readonly rooms: readonly BudgetRoom[];
  /** A replica of the deployment has no place yet: what it will cost is not taken off any room. */
  readonly isPlacing: boolean;
  readonly nowMs: number;
};

/**
 * Why a slot stays empty for want of budget. One that a budget emptied is filled again once there is room for what its last
 * machine was said to cost, however cheap another offer looks now, and one slot at a time: otherwise a machine would be paid
 * for, found too dear and drained, again and again.
 */
export function budgetHold(view: BudgetHoldView, ordinal: number): HeldSlot | undefined {
  const { deployment, rooms, isPlacing, nowMs } = view;
  const { revision } = deployment;
  const heldBack = deployment.heldBack[`${revision}/${ordinal}`];
  const exhausted = rooms.find(isExhausted);
  const tight = exhausted ?? (heldBack && tightFor(costOf(heldBack), rooms));
  if (!tight && !(heldBack && isPlacing)) return undefined;
  const since = heldBack?.since ?? sinceOf(deployment) ?? new Date(nowMs).toISOString();
  const why = tight ? tight.why : 'another replica that was held back is placed first';
  const next = tight ? nextOf(heldBack) : 'the other one is placed';
  const message = `replica ${ordinal} waits for room in a budget: ${why}`;
  return { revision, ordinal, reason: 'budget', since, deadline: null, next, message };
}

const nextOf = (heldBack: HeldBack | undefined): string => {
  const cost = heldBack && costOf(heldBack);
  const room = cost ? `there is room for ${cost.amount} ${cost.currency} an hour` : 'there is room';
  return `${room}, or the budget is set anew`;
};

const costOf = ({ budget: { rate, currency } }: HeldBack): Money | null =>
  rate === null ? null : { amount: rate, currency };

/** Without a cost nothing more can be told than whether there is any room. */
const tightFor = (cost: Money | null, rooms: readonly BudgetRoom[]): BudgetRoom | undefined =>
  cost === null ? undefined : rooms.find((room) => !hasRoomFor(room, cost));

const sinceOf = ({ conditions }: DeploymentState): string | undefined => {
  const condition = conditions['WithinBudget'];
  return condition?.status === 'false' ? condition.since : undefined;
};

/** It has been asked for, and nobody knows yet where it goes and what it costs. */
export const isPlacing = ({ status }: ReplicaState): boolean => status === 'requested' || status === 'deferred';
