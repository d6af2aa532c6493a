import { type ExplainView, type RecordedEvent, stream } from '@davit/contracts';
import {
  type AlarmState,
  type DeploymentState,
  type OrphanState,
  type ReplicaState,
  alarmKeyOf,
  groupOf,
} from '@davit/domain';
import { type StoryPage, type Told, answerOf, isKey } from '../answer.js';
import { brokenDeclarations, brokenLinks } from '../gaps.js';
import { gatherDeployment } from '../gather-deployment.js';
import { gatherReplica } from '../gather-replica.js';
import { type Part, parts, readPart } from '../part-reader.js';
import { gatherOrphan } from './orphan.js';

interface Subject {
  readonly past: Part;
  readonly broken: readonly string[];
}

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

/** What an alarm is about: a replica, a deployment, an orphan, a tenant, or the whole fleet. */
async function subjectOf({ log, model }: Told, about: string): Promise<Subject> {
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
  const orphan = await model.get<OrphanState>('orphan', about);
  if (orphan) return gatherOrphan(log, orphan.document);
  const past = /^[a-z][a-z0-9-]*$/.test(about) ? await readPart(log, stream.tenant(about)) : { events: [], cut: [] };
  return { past, broken: [] };
}
