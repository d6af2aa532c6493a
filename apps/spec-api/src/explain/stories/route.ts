import { type ExplainView, type RecordedEvent, stream, counted } from '@davit/contracts';
import { type RouteState, parseReplicaId } from '@davit/domain';
import { type StoryPage, type Told, answerOf } from '../answer.js';
import { brokenLinks } from '../gaps.js';
import { NOTHING, type Part, parts, readPart } from '../part-reader.js';
import { readWishes } from '../wishes.js';

/** Replicas of an alias that are told of, the latest. */
const MAX_REPLICAS = 100;
/** What is told of a replica in the story of its route. */
const OF_A_REPLICA: readonly RecordedEvent['type'][] = [
  'davit.replica.requested',
  'davit.replica.placed',
  'davit.replica.ready',
  'davit.replica.drain-requested',
  'davit.replica.failed',
];

/** Why requests for an alias, `<tenant>/<alias>`, go where they go. Undefined for one that never had a route. */
export async function explainRoute(
  { log, model }: Told,
  alias: string,
  page: StoryPage,
): Promise<ExplainView | undefined> {
  const stored = await model.get<RouteState>('route', alias);
  if (!stored) return undefined;
  const own = await readPart(log, stream.route(alias), { without: ['davit.route.snapshot-published'] });
  const ids = [...new Set(own.events.flatMap((event) => replicaIn(event) ?? []))];
  const lives = await Promise.all(ids.slice(-MAX_REPLICAS).map((id) => lifeOf(log, id)));
  const past = parts([own, ...lives, cutOf(ids)]);
  const { targets, draining } = stored.document;
  const broken = [...targets, ...draining].flatMap(({ replica }) => brokenLinks(replica, past.events));
  return answerOf(
    { model },
    { about: { kind: 'route', name: alias }, now: nowOf(stored.document), past, broken },
    page,
  );
}

function replicaIn({ data, type }: RecordedEvent): string | undefined {
  if (type === 'davit.route.registered') return data.target.replica;
  return type === 'davit.route.withdrawn' ? data.replica : undefined;
}

/** From the wish to the proof that it serves. The life before it is its own story. */
async function lifeOf(log: Told['log'], id: string): Promise<Part> {
  const identity = parseReplicaId(id);
  if (!identity) return { ...NOTHING, unread: [`${id} names no replica.`] };
  const { deployment, revision } = identity;
  const [own, runtime] = await Promise.all([
    readPart(log, stream.replica(id), { keep: ({ type }) => OF_A_REPLICA.includes(type) }),
    readPart(log, stream.runtime(id), { without: ['davit.runtime.load-summarised'] }),
  ]);
  const first = own.events[0]?.position ?? 0;
  const before = replacedIn(own.events);
  const [wishes, replaced] = await Promise.all([
    readWishes(log, { tenant: deployment.split('/')[0] ?? '', deployment }, { revision, from: first, to: first }),
    before === null
      ? NOTHING
      : readPart(log, stream.replica(before), {
          keep: ({ type }) => type === 'davit.replica.requested' || type === 'davit.replica.failed',
        }),
  ]);
  return parts([own, runtime, wishes, replaced]);
}

const replacedIn = (events: readonly RecordedEvent[]): string | null => {
  const request = events.find(({ type }) => type === 'davit.replica.requested');
  return request?.type === 'davit.replica.requested' ? request.data.replaces : null;
};

const cutOf = (ids: readonly string[]): Part => ({
  ...NOTHING,
  cut: ids.length > MAX_REPLICAS ? [`Only the latest ${MAX_REPLICAS} of ${ids.length} replicas are told of.`] : [],
});

function nowOf({ targets, draining, snapshot }: RouteState): string {
  const where = targets.map(({ replica, url }) => `${replica} at ${url}`).join(', ');
  return [
    targets.length === 0 ? 'leads nowhere' : `leads to ${counted(targets.length, 'replica')}: ${where}`,
    ...(draining.length === 0
      ? []
      : [`requests that began end at ${draining.map(({ replica }) => replica).join(', ')}`]),
    `snapshot ${snapshot}`,
  ].join('; ');
}
