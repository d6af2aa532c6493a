import { type RecordedEvent, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { type Part, cutTo, parts, readIntents, readPart } from './part-reader.js';

/** Lives of replicas that are told in one answer, the latest. */
const MAX_LIVES = 200;
/** Rollouts that are told in one answer, the latest. */
const MAX_ROLLOUTS = 50;

/** What is told of a replica in the story of its deployment; its own story tells the rest. */
const OF_A_REPLICA: readonly RecordedEvent['type'][] = [
  'davit.replica.requested',
  'davit.replica.placed',
  'davit.replica.deferred',
  'davit.replica.ready',
  'davit.replica.drain-requested',
  'davit.replica.failed',
  'davit.replica.quarantined',
  'davit.replica.deleted',
];

/** Everything in the log that tells of a deployment: wishes, conditions, and the turns in the lives of its replicas. */
export async function gatherDeployment(
  log: Pick<EventLog, 'readStream'>,
  { tenant, key }: { readonly tenant: string; readonly key: string },
  replicas: readonly string[],
  rollouts: readonly string[] = [],
): Promise<Part> {
  const [own, limits] = await Promise.all([
    readPart(log, stream.deployment(key)),
    readPart(log, stream.tenant(tenant)),
  ]);
  const wishes = [...own.events, ...limits.events];
  const told = replicas.slice(-MAX_LIVES);
  const tried = rollouts.slice(-MAX_ROLLOUTS);
  const [intents, lives, rolled] = await Promise.all([
    readIntents(log, wishes),
    Promise.all(
      told.map((id) => readPart(log, stream.replica(id), { keep: ({ type }) => OF_A_REPLICA.includes(type) })),
    ),
    Promise.all(tried.map((id) => readPart(log, stream.rollout(id)))),
  ]);
  const cut = [cutTo(told, replicas, 'lives'), cutTo(tried, rollouts, 'rollouts')];
  return parts([own, limits, intents, ...lives, ...rolled, ...cut]);
}
