import { type ExplainView, servesOf } from '@davit/contracts';
import {
  type DeploymentState,
  FLEET_KEY,
  type FleetState,
  type ReplicaState,
  type RolloutState,
  type WaitView,
  groupOf,
  parseReplicaId,
  waitOf,
} from '@davit/domain';
import type { EventLog } from '@davit/event-log';
import type { ReadModel } from '@davit/projection';
import { presentReplicas } from '../views/deployment-view.js';
import { stateWord, why } from '../views/replica-view.js';
import { type StoryPage, answerOf, isKey } from './answer.js';
import { brokenDeclarations, brokenLinks } from './gaps.js';
import { gatherDeployment } from './gather-deployment.js';
import { gatherReplica } from './gather-replica.js';

export interface ExplainerPorts {
  readonly log: Pick<EventLog, 'read' | 'readStream'>;
  readonly model: Pick<ReadModel, 'get' | 'list' | 'position'>;
}

/** Tells how it came to what is now, from the log. Nothing is written and no provider is asked. */
export class Explainer {
  constructor(private readonly ports: ExplainerPorts) {}

  /** Undefined for a replica that the log does not know. */
  async replica(id: string, page: StoryPage): Promise<ExplainView | undefined> {
    const { log, model } = this.ports;
    const deployment = parseReplicaId(id)?.deployment;
    const stored =
      deployment !== undefined && isKey(deployment) ? await model.get<ReplicaState>('replica', id) : undefined;
    if (!stored) return undefined;
    const [past, fleet, owner] = await Promise.all([
      gatherReplica(log, stored.document),
      model.get<FleetState>('fleet', FLEET_KEY),
      model.get<DeploymentState>('deployment', stored.document.deployment),
    ]);
    const now = replicaNow(stored.document, { fleet: fleet?.document, deployment: owner?.document });
    const { predecessors, events } = past;
    const about = { kind: 'replica', name: id } as const;
    return answerOf(this.ports, { about, now, predecessors, past, broken: brokenLinks(id, events) }, page);
  }

  /** Undefined for a deployment, `<tenant>/<name>`, that the log does not know. */
  async deployment(key: string, page: StoryPage): Promise<ExplainView | undefined> {
    const { log, model } = this.ports;
    const stored = isKey(key) ? await model.get<DeploymentState>('deployment', key) : undefined;
    if (!stored) return undefined;
    const [replicas, rollouts, present] = await Promise.all([
      model.list<ReplicaState>('replica', groupOf.deployment(key)),
      model.list<RolloutState>('rollout', groupOf.rolloutsOf(key)),
      presentReplicas(model, key),
    ]);
    const ids = [...replicas].sort((a, b) => a.position - b.position).map(({ key: id }) => id);
    const rolled = [...rollouts].sort((a, b) => a.position - b.position).map(({ key: id }) => id);
    const past = await gatherDeployment(log, { tenant: stored.document.tenant, key }, ids, rolled);
    const now = deploymentNow(stored.document, present);
    const about = { kind: 'deployment', name: key } as const;
    return answerOf(this.ports, { about, now, past, broken: brokenDeclarations(past.events) }, page);
  }
}

export function replicaNow(replica: ReplicaState, around: WaitView): string {
  const wait = waitOf(replica, around);
  const reason = why(replica, wait);
  return [
    `${stateWord(replica)} since ${replica.since}`,
    ...(reason === '' ? [] : [reason]),
    ...(wait === null ? [] : [`until ${wait.deadline ?? 'a person acts'}: ${wait.next}`]),
  ].join('; ');
}

function deploymentNow(deployment: DeploymentState, present: readonly ReplicaState[]): string {
  const ready = present.filter(({ status }) => status === 'ready').length;
  const { status, revision, activeRevision, spec, conditions } = deployment;
  const wanted = status === 'active' ? spec.spec.scaling.replicas : 0;
  return [
    `${status}: ${servesOf(ready, wanted)}, revision ${revision}${activeRevision === revision ? '' : `, active is ${activeRevision ?? 'none'}`}`,
    ...Object.entries(conditions).map(
      ([name, { status: is, reason, message }]) =>
        `${name} is ${is} (${reason})${message === '' ? '' : `: ${message}`}`,
    ),
  ].join('; ');
}
