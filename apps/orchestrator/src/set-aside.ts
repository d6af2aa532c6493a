import { InvalidEventError, stream } from '@davit/contracts';
import type { Decision, ReplicaState } from '@davit/domain';
import { InvalidAppendError } from '@davit/event-log';
import type { Logger } from '@davit/ports';

/** Longest part of an error's message that is told. */
const MAX_DETAIL = 500;

/**
 * Law 10: a replica that cannot be decided on is quarantined alone. Deciding is pure, so that to try again would fail again, and
 * whoever waits for its turn in a budget would wait for ever. Only before it is asked for: what may bill or serve is left as it is.
 * @throws whatever `decide` throws of a replica that was asked for
 */
export function decideOrSetAside(replica: ReplicaState, decide: () => Decision, logger: Logger): Decision {
  try {
    return decide();
  } catch (error) {
    return setAside(replica, 'nobody can decide where it goes', error, logger);
  }
}

/**
 * The same for what was decided and can never be written: the log refuses the same words each time. A log that is away, or that
 * somebody else wrote to meanwhile, says nothing about the replica.
 * @throws whatever `write` throws that is no such refusal, or is about a replica that was asked for
 */
export async function writeOrSetAside<Result>(
  replica: ReplicaState,
  decision: Decision,
  write: (decision: Decision) => Promise<Result>,
  logger: Logger,
): Promise<Result> {
  try {
    return await write(decision);
  } catch (error) {
    if (!(error instanceof InvalidEventError || error instanceof InvalidAppendError)) throw error;
    return write(setAside(replica, 'what is decided of it cannot be written', error, logger));
  }
}

function setAside({ id, status, versions }: ReplicaState, reason: string, error: unknown, logger: Logger): Decision {
  if (status !== 'requested') throw error;
  logger.error({ err: error, key: id }, `a replica is quarantined: ${reason}`);
  const detail = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_DETAIL);
  const events = [{ type: 'davit.replica.quarantined', data: { replicaId: id, reason, detail } }] as const;
  return { writes: [{ stream: stream.replica(id), expectedVersion: versions.replica, events }], wakeAtMs: null };
}
