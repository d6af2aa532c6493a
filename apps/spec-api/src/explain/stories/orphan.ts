import { type ExplainView, type RecordedEvent, stream } from '@davit/contracts';
import { type OrphanState, type RolloutState, groupOf, parseReplicaId } from '@davit/domain';
import { orphanView } from '../../views/fleet-views.js';
import { type StoryPage, type Told, type Traced, answerOf } from '../answer.js';
import { brokenLinks, brokenRollout } from '../gaps.js';
import { NOTHING, type Part, parts, readIntents, readPart } from '../part-reader.js';
import { readWishes } from '../wishes.js';
import { gatherRollout } from './rollout.js';

const OF_ITS_OWNER: readonly RecordedEvent['type'][] = [
  'davit.replica.requested',
  'davit.replica.failed',
  'davit.replica.drain-requested',
  'davit.replica.delete-requested',
  'davit.replica.deleted',
];

/** What is known of something that nobody owns. Undefined for one that the log does not know. */
export async function explainOrphan(told: Told, key: string, page: StoryPage): Promise<ExplainView | undefined> {
  const stored = await told.model.get<OrphanState>('orphan', key);
  if (!stored) return undefined;
  const [{ past, broken }, alarms] = await Promise.all([
    gatherOrphan(told, stored.document),
    readPart(told.log, stream.fleetAlarms, { keep: ({ data }) => 'about' in data && data.about === key }),
  ]);
  const { state, since, why } = orphanView(stored);
  const now = `${state}, found at ${since}; ${why}`;
  return answerOf(told, { about: { kind: 'orphan', name: key }, now, past: parts([past, alarms]), broken }, page);
}

/** Everything that the log says of an orphan, of the replica or canary whose name it has, and of who let it be deleted. */
export async function gatherOrphan({ log, model }: Pick<Told, 'log' | 'model'>, orphan: OrphanState): Promise<Traced> {
  const { key, category } = orphan;
  const [own, orders, owner] = await Promise.all([
    readPart(log, category === 'endpoint' ? stream.endpoint(key) : stream.resource(key)),
    readPart(log, stream.fleetOrders, { keep: ({ data }) => 'orphan' in data && data.orphan === key }),
    ownerIn({ log, model }, orphan),
  ]);
  const intents = await readIntents(log, orders.events);
  return { past: parts([own, orders, intents, owner.past]), broken: owner.broken };
}

async function ownerIn(
  { log, model }: Pick<Told, 'log' | 'model'>,
  { externalKey, replicaId, reason }: OrphanState,
): Promise<Traced> {
  if (replicaId !== null) {
    const past = await ownerOf(log, replicaId);
    return { past, broken: brokenLinks(replicaId, past.events) };
  }
  const [rollout] = await model.list<RolloutState>('rollout', groupOf.canary(externalKey));
  if (rollout) {
    const past = await gatherRollout(log, rollout.document);
    return { past, broken: brokenRollout(past.events) };
  }
  const broken = [`Nobody asked for it as far as the log knows (${reason}): it leads to no intent.`];
  return { past: NOTHING, broken };
}

async function ownerOf(log: Told['log'], id: string): Promise<Part> {
  const own = await readPart(log, stream.replica(id), { keep: ({ type }) => OF_ITS_OWNER.includes(type) });
  const identity = parseReplicaId(id);
  if (!identity) return own;
  const { deployment, revision } = identity;
  const [request] = own.events;
  const from = request?.position ?? 0;
  const before = request?.type === 'davit.replica.requested' ? request.data.replaces : null;
  const [wishes, replaced] = await Promise.all([
    readWishes(log, { tenant: deployment.split('/')[0] ?? '', deployment }, { revision, from, to: from }),
    before === null
      ? NOTHING
      : readPart(log, stream.replica(before), { keep: ({ type }) => type === 'davit.replica.requested' }),
  ]);
  return parts([own, wishes, replaced]);
}
