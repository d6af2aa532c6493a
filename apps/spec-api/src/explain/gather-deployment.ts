import { type RecordedEvent, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { type Part, parts, readPart } from './part-reader.js';

/** Lives of replicas that are told in one answer, the latest. */
const MAX_LIVES = 200;
const MAX_INTENTS = 200;
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
  const ids = [...new Set(wishes.flatMap((event) => ('intentId' in event.data ? [event.data.intentId] : [])))];
  const told = replicas.slice(-MAX_LIVES);
  const [intents, lives, rolled] = await Promise.all([
    Promise.all(ids.slice(-MAX_INTENTS).map((id) => readPart(log, stream.intent(id)))),
    Promise.all(
      told.map((id) => readPart(log, stream.replica(id), { keep: ({ type }) => OF_A_REPLICA.includes(type) })),
    ),
    Promise.all(rollouts.slice(-MAX_ROLLOUTS).map((id) => readPart(log, stream.rollout(id)))),
  ]);
  const cut =
    told.length < replicas.length ? [`Only the latest ${MAX_LIVES} of ${replicas.length} lives are told.`] : [];
  return parts([own, limits, ...intents, ...lives, ...rolled, { events: [], cut }]);
}
