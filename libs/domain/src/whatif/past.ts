import type { RecordedEvent } from '@davit/contracts';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import type { TenantState } from '../lifecycle/evolve-tenant.js';
import { type LifecycleKind, lifecycleProjection } from '../lifecycle/projection.js';
import type { DeploymentState, LifecycleDocument, ReplicaState } from '../lifecycle/state.js';

/** Decisions rest on what was folded shortly before: so many positions back, documents can still be told. */
const KEPT_POSITIONS = 5_000;

type Version = { readonly position: number; readonly document: LifecycleDocument };

/** The lifecycle's documents while a log is read, as they are and as they were a moment ago. */
export class Past {
  private readonly versions = new Map<string, readonly Version[]>();
  private readonly replicas = new Set<string>();

  /** @param deployment whose replicas are kept beside offers and tenants; null for none */
  constructor(private readonly deployment: string | null) {}

  /** Folds one event in. Events come in the order of the log. */
  see(event: RecordedEvent): void {
    for (const ref of lifecycleProjection.refs(event)) {
      if (!this.isKept(ref.kind, ref.key)) continue;
      const name = `${ref.kind}:${ref.key}`;
      const before = this.versions.get(name) ?? [];
      const document = lifecycleProjection.evolve(before.at(-1)?.document, event, ref);
      if (!document) continue;
      if (ref.kind === 'replica') this.replicas.add(ref.key);
      // The last one before what is kept still tells how it was then.
      const first = before.findLastIndex(({ position }) => position < event.position - KEPT_POSITIONS);
      this.versions.set(name, [...before.slice(Math.max(0, first)), { position: event.position, document }]);
    }
  }

  deploymentAt(position: number): DeploymentState | undefined {
    // The fold keeps documents of a shape under its kind, here and below.
    return this.at('deployment', this.deployment ?? '', position) as DeploymentState | undefined;
  }
  replicaAt(id: string, position: number): ReplicaState | undefined {
    return this.at('replica', id, position) as ReplicaState | undefined;
  }
  replicasAt(position: number): readonly ReplicaState[] {
    return [...this.replicas].sort().flatMap((id) => this.replicaAt(id, position) ?? []);
  }
  offerAt(key: string, position: number): OfferState | undefined {
    return this.at('offer', key, position) as OfferState | undefined;
  }
  tenantAt(name: string, position: number): TenantState | undefined {
    return this.at('tenant', name, position) as TenantState | undefined;
  }

  private at(kind: LifecycleKind, key: string, position: number): LifecycleDocument | undefined {
    return this.versions.get(`${kind}:${key}`)?.findLast((version) => version.position <= position)?.document;
  }

  private isKept(kind: LifecycleKind, key: string): boolean {
    switch (kind) {
      case 'offer':
      case 'tenant':
        return true;
      case 'deployment':
        return key === this.deployment;
      case 'replica':
        return this.deployment !== null && key.startsWith(`${this.deployment}-`) && isReplicaOf(key, this.deployment);
      default:
        return false;
    }
  }
}

const isReplicaOf = (id: string, deployment: string): boolean => /^-\d+-\d+-\d+$/.test(id.slice(deployment.length));
