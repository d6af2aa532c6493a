import type { RecordedEvent, ReplayDifference, ReplayPolicy, ReplayView } from '@davit/contracts';
import {
  type NotRetaken,
  type RealDecision,
  type ReceiptEvidence,
  type Retaken,
  decidedAtMs,
  isRetaken,
  leadsTo,
  lifecycleProjection,
  parseReplicaId,
  parseRolloutId,
  retakePlacement,
  retakeRecorded,
  retakeVerdict,
} from '@davit/domain';
import { MovingModel } from '@davit/projection';
import type { ServicePorts } from '@davit/service-kit';
import type { View } from '../asking/asking.js';
import { eventsBetween } from '../asking/events-between.js';
import { Tally } from './tally.js';
import { OF_A_SCENE, sceneAt } from './scenes.js';

/** So many positions after the one it states, a decision may rest on documents that were read later. */
const READ_AFTER = 100;

export interface ReplayOptions {
  readonly policy: ReplayPolicy;
  /** Key of the deployment on which decisions alone are taken again; null for all. */
  readonly deployment: string | null;
  /** Differences that are told at most. */
  readonly most?: number;
}

type Evidence = Pick<ServicePorts['evidence'], 'get'>;

/** Every recorded decision between two moments, taken again at its own moment under another policy. Nothing is written. */
export async function replaySpan(
  from: View,
  to: View,
  evidence: Evidence,
  options: ReplayOptions,
): Promise<ReplayView> {
  const { policy, deployment, most = 500 } = options;
  const moving = new MovingModel({ definition: lifecycleProjection, before: from.model, kinds: OF_A_SCENE });
  const since = new Date(from.nowMs).toISOString();
  const tally = new Tally(most);
  let events = 0;
  for await (const page of eventsBetween(to.log, from.position, to.position)) {
    for (const event of page) {
      const isAsked = deployment === null || deploymentOf(event) === deployment;
      const answer = isAsked ? await retake({ moving, evidence, policy, since }, event) : undefined;
      if (answer && isRetaken(answer)) tally.add(differenceOf(event, answer));
      else if (answer) tally.leaveOut(event.position, answer.notJudged);
      await moving.see(event);
    }
    events += page.length;
  }
  return { from: momentOf(from), to: momentOf(to), deployment, ...tally.counts(), rules: RULES, events };
}

const momentOf = ({ position, nowMs }: View): ReplayView['from'] => ({ position, at: new Date(nowMs).toISOString() });

interface Around {
  readonly moving: MovingModel;
  readonly evidence: Evidence;
  readonly policy: ReplayPolicy;
  readonly since: string;
}

async function retake(around: Around, event: RecordedEvent): Promise<Retaken | NotRetaken | undefined> {
  if (event.type === 'davit.replica.placed' || event.type === 'davit.replica.deferred') return placed(around, event);
  if (event.type !== 'davit.rollout.verdict-reached') return retakeRecorded(event, around.policy);
  // The store pairs each kind with its value, which TypeScript does not carry through the general type.
  const kept = (await around.evidence.get(event.data.bundleDigest)) as ReceiptEvidence | undefined;
  return retakeVerdict(event.data, kept?.kind === 'verdict-bundle' ? kept.value : undefined, around.policy.verdict);
}

/**
 * Its writer had read up to a position when it began, and may have read some of what came after it, too: the first of these moments
 * that leads to what was really decided is the one that it is taken again at.
 */
async function placed(
  { moving, policy, since }: Around,
  event: RealDecision,
): Promise<Retaken | NotRetaken | undefined> {
  if (event.type === 'davit.replica.placed' && event.data.placement === null) return undefined;
  const { replicaId } = event.data;
  const nowMs = decidedAtMs(event);
  const basis = event.basedonposition ?? event.position - 1;
  for (let position = basis; position < event.position && position <= basis + READ_AFTER; position++) {
    const scene = await sceneAt(moving.at(position), replicaId, nowMs);
    if (!scene || !leadsTo(event, scene)) continue;
    const other = await sceneAt(moving.at(position), replicaId, nowMs, policy, since);
    return other && retakePlacement(event, other, policy.placement);
  }
  return { notJudged: `no moment of the log between ${basis} and ${event.position} leads to what was decided` };
}

const differenceOf = (event: RecordedEvent, answer: Retaken): ReplayDifference => ({
  ...structuredClone(answer as ReplayDifference),
  position: event.position,
  type: event.type,
  at: event.time,
  basis: event.basedonposition ?? event.position - 1,
});

function deploymentOf({ data }: RecordedEvent): string | undefined {
  if ('replicaId' in data && data.replicaId) return parseReplicaId(data.replicaId)?.deployment;
  return 'rolloutId' in data && data.rolloutId ? parseRolloutId(data.rolloutId)?.deployment : undefined;
}

/** Told with each replay, since figures without them would be taken for more than they are. */
const RULES = [
  'Each decision is taken again at its own moment, with all that was known then; what would have followed from another one is not played on.',
  'Only what was decided is taken again: what another policy would have decided at a moment at which nothing was decided is not told. davit whatif plays one deployment on.',
  'A choice of a place counts where the documents of the log lead to what was really decided; others are not judged.',
  'Ends by a budget, servers that became unready and freezes are taken again from the figures that the event itself carries; a limit that is not named is the one that held.',
  'Of a freeze, a floor or a share that is not named is the usual one. Single losses do not carry how the fleet stood, and are not judged.',
  'Who sees some tenants alone replays without what the starts of others told of an offer.',
];
