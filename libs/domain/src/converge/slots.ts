import { fractionOf } from '../jitter.js';
import type { DeploymentState, FailedStarts, ReplicaState } from '../lifecycle/state.js';
import { maxFailedStartsOf } from '../replica/start-times.js';
import type { Wait } from '../wait/wait-of.js';

/** First wait after a failed start; doubles with each further one. */
const START_BACKOFF_MS = 5_000;
const START_BACKOFF_CAP_MS = 30 * 60_000;
/** Lives of one slot that are not proven gone, beyond which no further one is paid for. */
const MAX_LIVES = 2;

export type HoldReason = 'back-off' | 'given-up' | 'proving-absence' | 'making-room' | 'budget';

/** A slot that stays empty for now. */
export type HeldSlot = Wait<HoldReason> & {
  readonly revision: number;
  readonly ordinal: number;
  readonly message: string;
};

export const slotName = ({ revision }: DeploymentState, ordinal: number): string => `${revision}/${ordinal}`;

/** The lowest ordinals that no kept replica has, as many as are missing: a slot that fails is not evaded by another one. */
export function emptySlots(kept: readonly ReplicaState[], desired: number): readonly number[] {
  const taken = new Set(kept.map(({ ordinal }) => ordinal));
  const empty: number[] = [];
  for (let ordinal = 0; empty.length + taken.size < desired; ordinal++) if (!taken.has(ordinal)) empty.push(ordinal);
  return empty;
}

/** Slots whose starts fail, of the revision that is declared and of the one that serves: no others are filled. */
export const failedSlotsOf = ({
  revision,
  activeRevision,
  failedStarts,
}: DeploymentState): readonly (readonly [string, FailedStarts])[] =>
  Object.entries(failedStarts).filter(
    ([slot]) => slot.startsWith(`${revision}/`) || slot.startsWith(`${activeRevision ?? revision}/`),
  );

/** True once so many starts of the slot in a row may have cost money that no further one is paid for. */
export const isGivenUp = (deployment: DeploymentState, starts: FailedStarts | undefined): boolean =>
  (starts?.paid.length ?? 0) >= maxFailedStartsOf(deployment.spec.spec);

/** True for as many failed starts in a row, paid for or not, as are given up where they are paid for: nobody's wait to be ended by itself. */
export const keepsFailing = (deployment: DeploymentState, { count }: FailedStarts): boolean =>
  count >= maxFailedStartsOf(deployment.spec.spec);

/** A deployment that lacks replicas whose starts keep failing. */
export const hasFailingStarts = (deployment: DeploymentState): boolean =>
  deployment.status === 'active' &&
  deployment.conditions['Progressing']?.reason !== 'Converged' &&
  failedSlotsOf(deployment).some(([, starts]) => keepsFailing(deployment, starts));

/**
 * Why the next incarnation of a slot must wait: an earlier life is not proven gone, or its starts fail. A failed start is
 * proven gone, and its back-off over, before the next is paid for; and lives that cannot be proven gone do not pile up.
 * @param lives replicas of the slot that are not proven gone, none of them live
 */
export function holdOf(
  deployment: DeploymentState,
  ordinal: number,
  lives: readonly ReplicaState[],
  nowMs: number,
): HeldSlot | undefined {
  const { revision } = deployment;
  const starts = deployment.failedStarts[slotName(deployment, ordinal)];
  if (starts && isGivenUp(deployment, starts)) return givenUp(deployment, ordinal, starts);
  const [first] = lives;
  if (first && (lives.length >= MAX_LIVES || lives.some((replica) => !replica.everReady))) {
    const message = `replica ${ordinal} waits until ${lives.map(({ id }) => id).join(' or ')} is proven gone`;
    return { revision, ordinal, reason: 'proving-absence', since: first.since, deadline: null, next: message, message };
  }
  return starts && backOff(revision, ordinal, starts, nowMs);
}

function givenUp(
  { key, revision }: DeploymentState,
  ordinal: number,
  { paid, lastAt, reason }: FailedStarts,
): HeldSlot {
  const remedy = `change what it is made of, or send \`davit retry ${key}\``;
  const message = `replica ${ordinal} failed to start ${paid.length} times in a row, each of which may have cost money; no further start is paid for (${reason}); ${remedy}`;
  return { revision, ordinal, reason: 'given-up', since: lastAt, deadline: null, next: remedy, message };
}

/**
 * Doubles with each failed start, moved by up to a quarter that the last replica's name decides. The first death of a replica
 * that served is healed at once.
 */
function backOff(revision: number, ordinal: number, starts: FailedStarts, nowMs: number): HeldSlot | undefined {
  const { count, lastAt, lastReplica, lastServed, reason } = starts;
  const doublings = lastServed ? count - 2 : count - 1;
  if (doublings < 0) return undefined;
  const wholeMs = Math.min(START_BACKOFF_CAP_MS, START_BACKOFF_MS * 2 ** Math.min(doublings, 30));
  const dueMs = Date.parse(lastAt) + Math.round(wholeMs * (0.75 + fractionOf(lastReplica) / 2));
  if (nowMs >= dueMs) return undefined;
  const deadline = new Date(dueMs).toISOString();
  const message = `replica ${ordinal} failed to start ${count} times in a row, next try at ${deadline} (${reason})`;
  return { revision, ordinal, reason: 'back-off', since: lastAt, deadline, next: 'it is tried again', message };
}
