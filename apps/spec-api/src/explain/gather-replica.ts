import { type RecordedEvent, stream } from '@davit/contracts';
import type { ReplicaState } from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import { NOTHING, type Part, parts, readPart } from './part-reader.js';
import { type Span, readWishes } from './wishes.js';

/** Lives before this one that are told, too. */
const MAX_PREDECESSORS = 10;
/** Questions to the advisors that are looked up; older ones are told by the evidence of the decision alone. */
const MAX_QUESTIONS = 10;
const QUESTION_EVENTS = 500;

/** What is told of an earlier life: what was tried, and how it ended. */
const OF_A_PREDECESSOR: readonly RecordedEvent['type'][] = [
  'davit.replica.requested',
  'davit.replica.deferred',
  'davit.replica.placed',
  'davit.replica.failed',
  'davit.replica.drain-requested',
  'davit.replica.quarantined',
];

export interface ReplicaPast extends Part {
  /** The lives before this one, the latest first. */
  readonly predecessors: readonly string[];
}

type Log = Pick<EventLog, 'readStream' | 'read'>;

/** Everything in the log that tells of one replica, from the user's wish to its end. */
export async function gatherReplica(log: Log, replica: ReplicaState): Promise<ReplicaPast> {
  const { id, externalKey, mode, tenant, servedName, deployment } = replica;
  const about = mode === 'serverless' ? stream.endpoint(externalKey) : stream.resource(externalKey);
  const [own, resource, runtime, route] = await Promise.all([
    readPart(log, stream.replica(id)),
    readPart(log, about),
    readPart(log, stream.runtime(id), { without: ['davit.runtime.load-summarised'] }),
    readPart(log, stream.route(`${tenant}/${servedName}`), {
      without: ['davit.route.snapshot-published'],
      keep: (event) => routeOf(event) === id,
    }),
  ]);
  const [earlier, wishes, advice] = await Promise.all([
    gatherPredecessors(log, own.events),
    readWishes(log, { tenant, deployment }, spanOf(own.events)),
    gatherAdvice(log, id, [...own.events, ...resource.events]),
  ]);
  const all = parts([own, resource, runtime, route, earlier, wishes, { ...NOTHING, events: advice }]);
  return { ...all, predecessors: earlier.predecessors };
}

function spanOf(own: readonly RecordedEvent[]): Span {
  const request = own.find(({ type }) => type === 'davit.replica.requested');
  const end = own.findLast(({ type }) => type === 'davit.replica.deleted');
  const revision = request?.type === 'davit.replica.requested' ? request.data.revision : null;
  return { revision, from: request?.position ?? 0, to: end?.position ?? Number.MAX_SAFE_INTEGER };
}

const routeOf = (event: RecordedEvent): string | null => {
  if (event.type === 'davit.route.registered') return event.data.target.replica;
  return event.type === 'davit.route.withdrawn' ? event.data.replica : null;
};

const replacedIn = (events: readonly RecordedEvent[]): string | null => {
  const request = events.find(({ type }) => type === 'davit.replica.requested');
  return request?.type === 'davit.replica.requested' ? request.data.replaces : null;
};

async function gatherPredecessors(log: Log, own: readonly RecordedEvent[]): Promise<ReplicaPast> {
  const found: Part[] = [];
  const predecessors: string[] = [];
  let before = replacedIn(own);
  while (before !== null && predecessors.length < MAX_PREDECESSORS) {
    const part = await readPart(log, stream.replica(before));
    found.push({ ...part, events: part.events.filter(({ type }) => OF_A_PREDECESSOR.includes(type)) });
    predecessors.push(before);
    before = replacedIn(part.events);
  }
  const cut =
    before === null ? [] : [`Lives before ${predecessors.at(-1) ?? ''} are told by: davit explain replica ${before}`];
  const all = parts(found);
  return { ...all, cut: [...all.cut, ...cut], predecessors };
}

/** The answers of advisors lie between a look that found nothing and the decision that followed it. */
async function gatherAdvice(log: Log, id: string, events: readonly RecordedEvent[]): Promise<RecordedEvent[]> {
  const decisions = events.filter(({ type }) => type === 'davit.replica.placed' || type === 'davit.replica.deferred');
  const looks = events.filter((event) => foundNothing(event));
  const questions = decisions.slice(-MAX_QUESTIONS).flatMap(({ position: to }) => {
    const from = looks.findLast(({ position }) => position < to)?.position;
    return from === undefined ? [] : [{ from, limit: Math.min(QUESTION_EVENTS, to - from - 1) }];
  });
  const pages = await Promise.all(
    questions.filter(({ limit }) => limit > 0).map(({ from, limit }) => log.read(from, limit)),
  );
  return pages.flat().filter((event) => event.type === 'davit.capacity.assessed' && event.data.replicaId === id);
}

const foundNothing = (event: RecordedEvent): boolean =>
  event.type === 'davit.resource.discovered' && event.data.outcome === 'absent';
