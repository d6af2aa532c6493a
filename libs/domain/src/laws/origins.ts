import type { Placement, RecordedEvent } from '@davit/contracts';
import { parseReplicaId } from '../identity.js';
import { type Report, keyOf } from './violation.js';

type Origin = {
  readonly intents: ReadonlySet<string>;
  /** Where replicas of a revision may run, by revision; null where nothing is chosen. */
  readonly placements: ReadonlyMap<number, readonly Placement[] | null>;
};

const NOTHING: Origin = { intents: new Set(), placements: new Map() };

/** Where decisions come from, while a log is read: the intents behind each deployment, and what they let it choose from. */
export class Origins {
  private readonly deployments = new Map<string, Origin>();
  /** Writers that say up to where they had read: from then on they always do. */
  private readonly telling = new Set<string>();

  constructor(private readonly report: Report) {}

  see(event: RecordedEvent): void {
    this.seeDeployment(event);
    if (event.basedonposition !== undefined) this.seeBasis(event, event.basedonposition);
    else if (event.type.startsWith('davit.replica.') && this.telling.has(event.source))
      this.report(event, keyOf(event), 'decided without a word of what it had read up to');
    if (event.type === 'davit.replica.requested') this.mustHaveIntent(event, event.data);
  }

  /** Undefined while it is not known what the replica may choose from, or there is nothing to choose. */
  candidates(replicaId: string): readonly Placement[] | undefined {
    const identity = parseReplicaId(replicaId);
    if (!identity) return undefined;
    return this.deployments.get(identity.deployment)?.placements.get(identity.revision) ?? undefined;
  }

  private seeBasis(event: RecordedEvent, basis: number): void {
    this.telling.add(event.source);
    if (basis >= event.position) this.report(event, keyOf(event), `based on position ${basis}, which was to come`);
  }

  private seeDeployment(event: RecordedEvent): void {
    switch (event.type) {
      case 'davit.deployment.declared': {
        const { revision, spec } = event.data;
        const { compute } = spec.spec;
        const origin = this.withIntent(event);
        const placements = compute.mode === 'elastic' ? compute.placements : null;
        this.deployments.set(keyOf(event), {
          ...origin,
          placements: new Map([...origin.placements, [revision, placements]]),
        });
        return;
      }
      case 'davit.deployment.deletion-requested':
      case 'davit.deployment.retry-requested':
      case 'davit.deployment.paused':
      case 'davit.deployment.resumed':
      case 'davit.deployment.rollout-approved':
      case 'davit.deployment.rollout-rejected':
      case 'davit.deployment.rollout-aborted':
        this.deployments.set(keyOf(event), this.withIntent(event));
        return;
      case 'davit.deployment.deleted':
        this.deployments.delete(keyOf(event));
        return;
      default:
    }
  }

  private withIntent(event: RecordedEvent): Origin {
    const origin = this.deployments.get(keyOf(event)) ?? NOTHING;
    const { correlationid } = event;
    return correlationid === undefined ? origin : { ...origin, intents: new Set([...origin.intents, correlationid]) };
  }

  private mustHaveIntent(event: RecordedEvent, { replicaId, deployment }: Requested): void {
    const intents = this.deployments.get(deployment)?.intents;
    // Where the wish itself names no intent, nothing that follows from it can.
    if (!intents || intents.size === 0) return;
    if (event.correlationid === undefined) this.report(event, replicaId, 'leads back to no intent');
    else if (!intents.has(event.correlationid))
      this.report(event, replicaId, `leads back to ${event.correlationid}, which is no intent of ${deployment}`);
  }
}

type Requested = { readonly replicaId: string; readonly deployment: string };
