import { type ExplainView, type StoryTopic, stream } from '@davit/contracts';
import { type DeploymentState, FLEET_KEY, type FleetState, type ReplicaState, waitOf } from '@davit/domain';
import { type StoryPage, type Told, answerOf } from '../answer.js';
import { replicaNow } from '../explainer.js';
import { brokenLinks } from '../gaps.js';
import { gatherReplica } from '../gather-replica.js';
import { parts, readPart } from '../part-reader.js';
import { storyOf } from '../story.js';

/** What a wait rests on: the wish, what was looked for and found, what was advised, and what was tried meanwhile. */
const OF_A_WAIT: readonly StoryTopic[] = [
  ...(['intent', 'declaration', 'request', 'discovery', 'advice', 'placement', 'wait', 'launch'] as const),
  ...(['drain', 'deletion', 'budget', 'failure', 'quarantine', 'alarm'] as const),
];

/** What a replica waits for, and why. Undefined for one that the log does not know. */
export async function explainWait({ log, model }: Told, id: string, page: StoryPage): Promise<ExplainView | undefined> {
  const stored = await model.get<ReplicaState>('replica', id);
  if (!stored) return undefined;
  const replica = stored.document;
  const [own, alarms, fleet, deployment] = await Promise.all([
    gatherReplica(log, replica),
    readPart(log, stream.fleetAlarms, { keep: ({ data }) => 'about' in data && data.about === id }),
    model.get<FleetState>('fleet', FLEET_KEY),
    model.get<DeploymentState>('deployment', replica.deployment),
  ]);
  const past = parts([own, alarms]);
  const around = { fleet: fleet?.document, deployment: deployment?.document };
  const state = replicaNow(replica, around);
  const wait = waitOf(replica, around);
  return answerOf(
    { model },
    {
      about: { kind: 'wait', name: id },
      now: wait ? `waits (${wait.reason}) since ${wait.since}; ${state}` : `waits for nothing; ${state}`,
      predecessors: own.predecessors,
      past,
      broken: brokenLinks(id, past.events),
      lines: storyOf(past.events).filter(({ topic }) => OF_A_WAIT.includes(topic)),
    },
    page,
  );
}
