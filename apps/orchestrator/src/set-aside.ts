import { stream } from '@davit/contracts';
import type { Decision, ReplicaState } from '@davit/domain';
import type { Logger } from '@davit/ports';

/** Longest part of an error's message that is told. */
const MAX_DETAIL = 500;

/**
 * Law 10: a replica that cannot be decided on is quarantined alone. Deciding is pure, so that to try again would fail again, and
 * whoever waits for its turn in a budget would wait for ever. Only before it is asked for: what may bill or serve is left as it is.
 * @throws whatever `decide` throws of a replica that was asked for
 */
export function decideOrSetAside(
  { id, status, versions }: ReplicaState,
  decide: () => Decision,
  logger: Logger,
): Decision {
  try {
    return decide();
  } catch (error) {
    if (status !== 'requested') throw error;
    logger.error({ err: error, key: id }, 'a replica that cannot be decided on is quarantined');
    const detail = (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_DETAIL);
    const data = { replicaId: id, reason: 'nobody can decide where it goes', detail };
    const events = [{ type: 'davit.replica.quarantined', data }] as const;
    return { writes: [{ stream: stream.replica(id), expectedVersion: versions.replica, events }], wakeAtMs: null };
  }
}
