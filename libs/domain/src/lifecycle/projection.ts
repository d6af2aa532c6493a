import { type RecordedEvent, streamKeyOf } from '@davit/contracts';
import { type KeyState, evolveKey } from '../access/key-state.js';
import { deploymentKeyOf, evolveDeployment } from './evolve-deployment.js';
import { FLEET_KEY, alarmKeyOf, changesFleet, evolveAlarm, evolveFleet } from './evolve-fleet.js';
import { type OfferState, evolveOffer, offerRefOf } from './evolve-offer.js';
import { evolveOrphan, isOrphanStream } from './evolve-orphan.js';
import { hasWaits } from '../alarms/waiting.js';
import { hasFailingStarts } from '../converge/slots.js';
import { isOpenOrphan } from '../orphan/claim.js';
import { evolveRollout } from '../rollout/evolve.js';
import { type RolloutState, isOver } from '../rollout/state.js';
import { isNoted } from './evolve-note.js';
import { evolveReplica } from './evolve-replica.js';
import { evolveRoute } from './evolve-route.js';
import { type TenantState, evolveTenant } from './evolve-tenant.js';
import { type WebhookState, evolveWebhook } from '../webhook/state.js';
import {
  type AlarmState,
  type DeploymentState,
  type FleetState,
  type LifecycleDocument,
  type OrphanState,
  type ReplicaState,
  type RouteState,
  aliasOf,
  isSuspect,
} from './state.js';

export const LIFECYCLE_KINDS = [
  'deployment',
  'replica',
  'route',
  'orphan',
  'fleet',
  'alarm',
  'offer',
  'tenant',
  'rollout',
  'key',
  'webhook',
] as const;
export type LifecycleKind = (typeof LIFECYCLE_KINDS)[number];
type Ref = { readonly kind: LifecycleKind; readonly key: string };

/** Documents of the lifecycle that an event changes. Every service folds the same documents into tables of its own. */
export function lifecycleRefs(event: RecordedEvent): readonly Ref[] {
  const offer = offerRefOf(event);
  return [
    ...ownRefs(event),
    ...(offer === undefined ? [] : [{ kind: 'offer', key: offer } as const]),
    ...(changesFleet(event) ? [{ kind: 'fleet', key: FLEET_KEY } as const] : []),
  ];
}

function ownRefs(event: RecordedEvent): readonly Ref[] {
  if (isOrphanStream(event.stream)) return [{ kind: 'orphan', key: streamKeyOf(event.stream) }];
  const [, category] = event.type.split('.');
  switch (category) {
    case 'deployment':
      return [{ kind: 'deployment', key: streamKeyOf(event.stream) }, ...orderedRollout(event)];
    case 'rollout':
      return rolloutRefs(event);
    case 'replica':
      return replicaRefs(streamKeyOf(event.stream), changesDeployment(event));
    case 'route':
      return routeRefs(event);
    case 'resource':
    case 'endpoint':
    case 'runtime':
    case 'capacity':
      return providerRefs(event);
    case 'fleet':
      return fleetRefs(event);
    case 'tenant':
      return [{ kind: 'tenant', key: streamKeyOf(event.stream) }];
    case 'access':
      return [{ kind: 'key', key: streamKeyOf(event.stream) }];
    case 'webhook':
      return [{ kind: 'webhook', key: streamKeyOf(event.stream) }];
    default:
      return [];
  }
}

/** A fact of a rollout's canary names the rollout in the place of a replica. */
function providerRefs({ data }: RecordedEvent): readonly Ref[] {
  if ('rolloutId' in data && data.rolloutId !== undefined) return [{ kind: 'rollout', key: data.rolloutId }];
  return 'replicaId' in data && data.replicaId !== null ? replicaRefs(data.replicaId, false) : [];
}

const orderedRollout = ({ type, data }: RecordedEvent): readonly Ref[] =>
  type.startsWith('davit.deployment.rollout-') && 'rolloutId' in data && data.rolloutId !== undefined
    ? [{ kind: 'rollout', key: data.rolloutId }]
    : [];

function rolloutRefs(event: RecordedEvent): readonly Ref[] {
  const rollout: Ref = { kind: 'rollout', key: streamKeyOf(event.stream) };
  if (!isNoted(event)) return [rollout];
  const { deployment, replicaId } = event.data;
  const accepted = event.type === 'davit.rollout.accepted' ? [{ kind: 'replica', key: replicaId } as const] : [];
  return [rollout, { kind: 'deployment', key: deployment }, ...accepted];
}

function fleetRefs(event: RecordedEvent): readonly Ref[] {
  switch (event.type) {
    case 'davit.fleet.alarm-raised':
    case 'davit.fleet.alarm-cleared':
      return [{ kind: 'alarm', key: alarmKeyOf(event.data) }];
    case 'davit.fleet.reap-approved':
      return [{ kind: 'orphan', key: event.data.orphan }];
    default:
      return [];
  }
}

const changesDeployment = (event: RecordedEvent): boolean =>
  event.type === 'davit.replica.requested' ||
  event.type === 'davit.replica.placed' ||
  event.type === 'davit.replica.deferred' ||
  event.type === 'davit.replica.ready' ||
  event.type === 'davit.replica.drain-requested' ||
  event.type === 'davit.replica.delete-requested' ||
  event.type === 'davit.replica.failed';

function replicaRefs(id: string, withDeployment: boolean): readonly Ref[] {
  const deployment = withDeployment ? deploymentKeyOf(id) : undefined;
  const replica: Ref = { kind: 'replica', key: id };
  return deployment === undefined ? [replica] : [replica, { kind: 'deployment', key: deployment }];
}

function routeRefs(event: RecordedEvent): readonly Ref[] {
  const route: Ref = { kind: 'route', key: streamKeyOf(event.stream) };
  if (event.type === 'davit.route.registered') return [route, { kind: 'replica', key: event.data.target.replica }];
  if (event.type === 'davit.route.withdrawn') return [route, { kind: 'replica', key: event.data.replica }];
  return [route];
}

/** The fold of the lifecycle: deployments, replicas and routes, each from its own past and the events that name it. */
export const lifecycleProjection = {
  name: 'lifecycle',
  version: 11,
  refs: lifecycleRefs,
  evolve(
    document: LifecycleDocument | undefined,
    event: RecordedEvent,
    ref: { readonly kind: string },
  ): LifecycleDocument | undefined {
    // The store keeps documents of one kind under one name, so the kind tells the shape.
    switch (ref.kind) {
      case 'deployment':
        return evolveDeployment(document as DeploymentState | undefined, event);
      case 'replica':
        return evolveReplica(document as ReplicaState | undefined, event);
      case 'route':
        return evolveRoute(document as RouteState | undefined, event);
      case 'orphan':
        return evolveOrphan(document as OrphanState | undefined, event);
      case 'fleet':
        return evolveFleet(document as FleetState | undefined, event);
      case 'alarm':
        return evolveAlarm(document as AlarmState | undefined, event);
      case 'offer':
        return evolveOffer(document as OfferState | undefined, event);
      case 'tenant':
        return evolveTenant(document as TenantState | undefined, event);
      case 'rollout':
        return evolveRollout(document as RolloutState | undefined, event);
      case 'key':
        return evolveKey(document as KeyState | undefined, event);
      case 'webhook':
        return evolveWebhook(document as WebhookState | undefined, event);
      default:
        return document;
    }
  },
  groups(ref: { readonly kind: string }, document: LifecycleDocument): readonly string[] {
    if (ref.kind === 'orphan') return orphanGroups(document as OrphanState);
    if (ref.kind === 'deployment') return deploymentGroups(document as DeploymentState);
    if (ref.kind === 'offer' || ref.kind === 'key' || ref.kind === 'webhook') return [];
    if (ref.kind === 'rollout') return rolloutGroups(document as RolloutState);
    const replica = document as ReplicaState;
    if (ref.kind !== 'replica') return [groupOf.tenant(replica.tenant)];
    return [
      `tenant:${replica.tenant}`,
      groupOf.deployment(replica.deployment),
      groupOf.externalKey(replica.externalKey),
      ...(isSuspect(replica) ? [groupOf.suspects] : []),
      ...(replica.status === 'deleted'
        ? []
        : [
            groupOf.anyPresent,
            groupOf.present(replica.deployment),
            groupOf.presentIn(replica.tenant),
            groupOf.alias(aliasOf(replica)),
            groupOf.adapter(replica.adapter),
          ]),
    ];
  },
} as const;

const deploymentGroups = (deployment: DeploymentState): readonly string[] => [
  groupOf.tenant(deployment.tenant),
  ...(deployment.status === 'deleted' ? [] : deployment.aliases.map(groupOf.alias)),
  ...(hasFailingStarts(deployment) ? [groupOf.failingStarts] : []),
  ...(hasWaits(deployment) ? [groupOf.waiting] : []),
  ...(deployment.status !== 'deleted' && deployment.spec.spec.budget ? [groupOf.budgeted] : []),
  ...(deployment.paused ? [groupOf.paused] : []),
];

const rolloutGroups = (rollout: RolloutState): readonly string[] => [
  groupOf.tenant(rollout.tenant),
  groupOf.rolloutsOf(rollout.deployment),
  ...(rollout.canary ? [groupOf.canary(rollout.canary.externalKey)] : []),
  ...(isOver(rollout) ? [] : [groupOf.openRollouts]),
];

const orphanGroups = (orphan: OrphanState): readonly string[] => [
  groupOf.tenant(orphan.tenant),
  ...(isOpenOrphan(orphan) ? [groupOf.openOrphans(orphan.adapter)] : []),
];

/** Names under which documents can be listed. */
export const groupOf = {
  tenant: (tenant: string) => `tenant:${tenant}`,
  deployment: (key: string) => `deployment:${key}`,
  /** Replicas of a deployment that are not yet proven gone. */
  present: (key: string) => `present:${key}`,
  /** The same, of all deployments of a tenant. */
  presentIn: (tenant: string) => `present-in:${tenant}`,
  /** The same, of all deployments. */
  anyPresent: 'present',
  /** See `hasFailingStarts`. */
  failingStarts: 'failing-starts',
  /** Deployments with slots that wait for capacity. */
  waiting: 'waiting',
  /** Deployments that a user paused. */
  paused: 'paused',
  /** Deployments with a budget that are not deleted. */
  budgeted: 'budgeted',
  /**
   * Replicas, not yet proven gone, whose served name this is, and deployments that were ever to serve under it, by that name
   * or by a further alias.
   */
  alias: (alias: string) => `alias:${alias}`,
  /** The replica that owns, or last owned, a thing of this name. */
  externalKey: (externalKey: string) => `external:${externalKey}`,
  /** Replicas of a backend that are not yet proven gone. */
  adapter: (adapter: string) => `adapter:${adapter}`,
  /** Orphans at a backend that are neither cleared nor gone. */
  openOrphans: (adapter: string) => `orphans:${adapter}`,
  /** All rollouts of a deployment. */
  rolloutsOf: (key: string) => `rollouts:${key}`,
  /** The rollout whose canary has, or last had, this name. */
  canary: (externalKey: string) => `canary:${externalKey}`,
  /** Rollouts that are not over. */
  openRollouts: 'open-rollouts',
  /** See `isSuspect`. */
  suspects: 'suspects',
} as const;
