import { type ExplainView, type RecordedEvent, stream } from '@davit/contracts';
import type { RolloutState } from '@davit/domain';
import { rolloutView } from '../../views/rollout-view.js';
import { type StoryPage, type Told, answerOf } from '../answer.js';
import { brokenRollout } from '../gaps.js';
import { NOTHING, type Part, parts, readPart } from '../part-reader.js';
import { readWishes } from '../wishes.js';

/** What a verdict rests on: where the rollout came from, what was measured before and after, and who said what. */
const OF_A_VERDICT: readonly RecordedEvent['type'][] = [
  'davit.rollout.started',
  'davit.rollout.refused',
  'davit.rollout.candidate-proved',
  'davit.rollout.candidate-failed',
  'davit.rollout.load-profile-run',
  'davit.rollout.baseline-recorded',
  'davit.rollout.update-attempted',
  'davit.rollout.converged',
  'davit.rollout.verdict-reached',
  'davit.rollout.accepted',
  'davit.rollout.rejected',
  'davit.rollout.rolled-back',
];

/** How a rollout came to where it is. Undefined for one that the log does not know. */
export async function explainRollout(told: Told, id: string, page: StoryPage): Promise<ExplainView | undefined> {
  const stored = await told.model.get<RolloutState>('rollout', id);
  if (!stored) return undefined;
  const past = await gatherRollout(told.log, stored.document);
  const { phase, outcome, why } = rolloutView(stored);
  const now = `${outcome ?? phase} since ${stored.document.since}; ${why}`;
  return answerOf(told, { about: { kind: 'rollout', name: id }, now, past, broken: brokenRollout(past.events) }, page);
}

/** Why the verdict on a candidate is what it is, with what else it might have been. */
export async function explainVerdict(told: Told, id: string, page: StoryPage): Promise<ExplainView | undefined> {
  const stored = await told.model.get<RolloutState>('rollout', id);
  if (!stored) return undefined;
  const past = await gatherRollout(told.log, stored.document, ({ type }) => OF_A_VERDICT.includes(type));
  const now = verdictIn(past.events) ?? `no verdict yet: ${rolloutView(stored).why}`;
  return answerOf(told, { about: { kind: 'verdict', name: id }, now, past, broken: brokenRollout(past.events) }, page);
}

/** What the log says of a rollout and its canary, from the declaration on, with what was wished and ordered meanwhile. */
export async function gatherRollout(
  log: Told['log'],
  rollout: RolloutState,
  keep: (event: RecordedEvent) => boolean = () => true,
): Promise<Part> {
  const { id, tenant, deployment, revision, canary } = rollout;
  const own = await readPart(log, stream.rollout(id), { keep });
  const from = own.events[0]?.position ?? 0;
  const to = own.events.at(-1)?.position ?? from;
  const [wishes, proof] = await Promise.all([
    readWishes(log, { tenant, deployment }, { revision, from, to }),
    canary ? readPart(log, stream.endpoint(canary.externalKey), { keep }) : NOTHING,
  ]);
  const orders = wishes.events.filter(
    ({ type, data }) => !isOrder(type) || ('rolloutId' in data && data.rolloutId === id),
  );
  return parts([own, proof, { ...wishes, events: orders }]);
}

const isOrder = (type: string): boolean => type.startsWith('davit.deployment.rollout-');

function verdictIn(events: readonly RecordedEvent[]): string | undefined {
  const last = events.findLast(({ type }) => type === 'davit.rollout.verdict-reached');
  if (last?.type !== 'davit.rollout.verdict-reached') return undefined;
  const { verdict, reasons } = last.data;
  const [first] = reasons;
  return `${verdict} at ${last.time}${first ? `, by ${first.rule}: ${first.detail}` : ''}`;
}
