import { type ExplainView, NAME_PATTERN, type RecordedEvent, stream } from '@davit/contracts';
import {
  type AlarmState,
  type DeploymentState,
  type OrphanState,
  type ReplicaState,
  type RolloutState,
  alarmKeyOf,
  groupOf,
} from '@davit/domain';
import { type StoryPage, type Told, type Traced, answerOf, isKey } from '../answer.js';
import { brokenDeclarations, brokenLimits, brokenLinks, brokenRollout } from '../gaps.js';
import { gatherDeployment } from '../gather-deployment.js';
import { gatherReplica } from '../gather-replica.js';
import { NOTHING, parts, readPart } from '../part-reader.js';
import { gatherLimits } from './budget.js';
import { gatherOrphan } from './orphan.js';
import { gatherRollout } from './rollout.js';

/** Why an alarm is up, or was, with the story of what it is about. Undefined for one that never was raised. */
export async function explainAlarm(
  told: Told,
  { alarm, about }: { readonly alarm: string; readonly about: string },
  page: StoryPage,
): Promise<ExplainView | undefined> {
  const own = await readPart(told.log, stream.fleetAlarms, { keep: (event) => isAbout(event, alarm, about) });
  const last = own.events.at(-1);
  if (!last) return undefined;
  const { past, broken } = await subjectOf(told, about);
  const name = alarmKeyOf({ alarm, about });
  const up = await told.model.get<AlarmState>('alarm', name);
  const now = up
    ? `up since ${up.document.since} (${up.document.severity}): ${up.document.detail}`
    : `cleared at ${last.time}${'detail' in last.data ? `: ${last.data.detail}` : ''}`;
  return answerOf(told, { about: { kind: 'alarm', name }, now, past: parts([own, past]), broken }, page);
}

const isAbout = ({ data }: RecordedEvent, alarm: string, about: string): boolean =>
  'alarm' in data && 'about' in data && data.alarm === alarm && data.about === about;

/** What an alarm is about: a replica, a deployment, a rollout, an orphan, a tenant, or the whole fleet. */
async function subjectOf(told: Told, about: string): Promise<Traced> {
  const { log, model } = told;
  const replica = await model.get<ReplicaState>('replica', about);
  if (replica) {
    const past = await gatherReplica(log, replica.document);
    return { past, broken: brokenLinks(about, past.events) };
  }
  const deployment = isKey(about) ? await model.get<DeploymentState>('deployment', about) : undefined;
  if (deployment) {
    const replicas = await model.list<ReplicaState>('replica', groupOf.deployment(about));
    const ids = [...replicas].sort((a, b) => a.position - b.position).map(({ key }) => key);
    const past = await gatherDeployment(log, { tenant: deployment.document.tenant, key: about }, ids);
    return { past, broken: brokenDeclarations(past.events) };
  }
  const rollout = await model.get<RolloutState>('rollout', about);
  if (rollout) {
    const past = await gatherRollout(log, rollout.document);
    return { past, broken: brokenRollout(past.events) };
  }
  const orphan = await model.get<OrphanState>('orphan', about);
  if (orphan) return gatherOrphan(told, orphan.document);
  const past = NAME_PATTERN.test(about) ? await gatherLimits(log, about) : NOTHING;
  return { past, broken: brokenLimits(past.events) };
}
