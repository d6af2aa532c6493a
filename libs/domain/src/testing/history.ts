import {
  type EventType,
  type NewEvent,
  type RecordedEvent,
  checkNewEvent,
  dataSchemaOf,
  eventDefinition,
  parseDeployment,
  type NormalisedDeployment,
} from '@davit/contracts';
import { type BudgetAccount, deploymentAccount, tenantAccount } from '../budget/account.js';
import { budgetRoom } from '../budget/room.js';
import type { Write } from '../decision.js';
import { FLEET_KEY, NO_FLEET } from '../lifecycle/evolve-fleet.js';
import { lifecycleProjection, groupOf } from '../lifecycle/projection.js';
import type { OfferState } from '../lifecycle/evolve-offer.js';
import type { TenantState } from '../lifecycle/evolve-tenant.js';
import type { RolloutState } from '../rollout/state.js';
import type { PlacementView } from '../placement/ask.js';
import type {
  DeploymentState,
  FleetState,
  LifecycleDocument,
  OrphanState,
  ReplicaState,
  RouteState,
} from '../lifecycle/state.js';

/** A log in memory with its folded documents: `given` events, `when` a decider runs, `then` look at what it wrote. */
export class History {
  readonly events: RecordedEvent[] = [];
  private readonly documents = new Map<string, LifecycleDocument>();
  private readonly versions = new Map<string, number>();

  constructor(public nowMs = Date.UTC(2026, 0, 1)) {}

  /** Appends one event and folds it; data is checked against the catalogue as the real log does. */
  given<Type extends EventType>(stream: string, type: Type, data: Extract<NewEvent, { type: Type }>['data']): this {
    // The two parameters are correlated by `Type`, which TypeScript cannot see in the union.
    return this.append(stream, { type, data } as NewEvent);
  }

  append(stream: string, event: NewEvent): this {
    checkNewEvent(event);
    const definition = eventDefinition(event.type);
    const version = (this.versions.get(stream) ?? 0) + 1;
    this.versions.set(stream, version);
    const recorded = {
      specversion: '1.0',
      id: `00000000-0000-7000-8000-${String(this.events.length + 1).padStart(12, '0')}`,
      source: '/davit/test',
      type: event.type,
      subject: stream.slice(stream.indexOf('/') + 1),
      time: new Date(this.nowMs).toISOString(),
      dataschema: definition ? dataSchemaOf(definition) : '',
      data: event.data,
      tenant: 'default',
      stream,
      version,
      position: this.events.length + 1,
    } as RecordedEvent;
    this.events.push(recorded);
    for (const ref of lifecycleProjection.refs(recorded)) {
      const name = `${ref.kind}:${ref.key}`;
      const next = lifecycleProjection.evolve(this.documents.get(name), recorded, ref);
      if (next) this.documents.set(name, next);
    }
    return this;
  }

  /** Appends what a decider wrote, refusing what the log would refuse. */
  apply(writes: readonly Write[]): this {
    for (const { stream, expectedVersion, events } of writes) {
      const actual = this.versions.get(stream) ?? 0;
      if (expectedVersion !== 'any' && expectedVersion !== actual) {
        throw new Error(`${stream}: expected version ${expectedVersion}, is ${actual}`);
      }
      for (const event of events) this.append(stream, event);
    }
    return this;
  }

  later(ms: number): this {
    this.nowMs += ms;
    return this;
  }

  deployment(key: string): DeploymentState {
    return this.document<DeploymentState>(`deployment:${key}`);
  }
  replica(id: string): ReplicaState {
    return this.document<ReplicaState>(`replica:${id}`);
  }
  orphan(key: string): OrphanState {
    return this.document<OrphanState>(`orphan:${key}`);
  }
  rollout(id: string): RolloutState | undefined {
    return this.documents.get(`rollout:${id}`) as RolloutState | undefined;
  }
  route(alias: string): RouteState | undefined {
    return this.documents.get(`route:${alias}`) as RouteState | undefined;
  }
  fleet(): FleetState {
    return (this.documents.get(`fleet:${FLEET_KEY}`) as FleetState | undefined) ?? NO_FLEET;
  }
  suspects(): ReplicaState[] {
    return this.replicasIn(groupOf.suspects);
  }
  replicasOf(deployment: string): ReplicaState[] {
    return this.replicasIn(groupOf.present(deployment));
  }
  /** The budgets that hold for a deployment, its own and its tenant's. */
  budgetsOf(key: string): BudgetAccount[] {
    const deployment = this.deployment(key);
    const { tenant, activeRevision } = deployment;
    const own = deploymentAccount(
      deployment,
      this.replicasIn(groupOf.deployment(key)),
      this.rolloutsIn(groupOf.rolloutsOf(key)),
    );
    const state = this.documents.get(`tenant:${tenant}`) as TenantState | undefined;
    const active = new Map([[key, activeRevision]]);
    const shared = tenantAccount(
      state,
      this.replicasIn(groupOf.tenant(tenant)),
      active,
      this.rolloutsIn(groupOf.tenant(tenant)),
    );
    return [own, shared].flatMap((account) => account ?? []);
  }

  /** What the policy of placement is told beside a replica and its deployment. */
  placementView({ id, deployment }: ReplicaState): PlacementView {
    const offers = [...this.documents].flatMap(([name, document]) =>
      name.startsWith('offer:') ? [[name.slice('offer:'.length), document as OfferState] as const] : [],
    );
    return {
      siblings: this.replicasOf(deployment).filter((other) => other.id !== id),
      offers: new Map(offers),
      budgets: this.budgetsOf(deployment).map((account) => budgetRoom(account, this.nowMs)),
    };
  }

  private rolloutsIn(group: string): RolloutState[] {
    return [...this.documents.entries()]
      .filter(([name, document]) => name.startsWith('rollout:') && this.groups(name, document).includes(group))
      .map(([, document]) => document as RolloutState);
  }

  private replicasIn(group: string): ReplicaState[] {
    return [...this.documents.entries()]
      .filter(([name, document]) => name.startsWith('replica:') && this.groups(name, document).includes(group))
      .map(([, document]) => document as ReplicaState);
  }

  private groups(name: string, document: LifecycleDocument): readonly string[] {
    return lifecycleProjection.groups({ kind: name.slice(0, name.indexOf(':')) }, document);
  }

  private document<Shape extends LifecycleDocument>(name: string): Shape {
    const document = this.documents.get(name);
    if (!document) throw new Error(`no ${name} in this history`);
    return document as Shape;
  }
}

const EXAMPLE_LADDER = {
  placements: [
    { cloud: 'runpod', accelerator: 'L40S:1' },
    { cloud: 'runpod', accelerator: 'A100-80GB:1' },
  ],
};

/** A valid specification, with changes. */
export function exampleDeployment(
  changes: {
    name?: string;
    replicas?: number;
    model?: string;
    strategy?: 'surge' | 'in-place';
    mode?: 'elastic' | 'direct';
    budget?: object;
    /** Beside `mode: elastic`. */
    compute?: object;
  } = {},
): NormalisedDeployment {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: changes.name ?? 'qwen' },
    spec: {
      model: { id: changes.model ?? 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm', version: '0.27.1' },
      compute:
        changes.mode === 'direct'
          ? {
              mode: 'direct',
              endpoints: Array.from(
                { length: changes.replicas ?? 1 },
                (_, index) => `http://127.0.0.1:${8000 + index}`,
              ),
            }
          : { mode: 'elastic', ...(changes.compute ?? EXAMPLE_LADDER) },
      scaling: { replicas: changes.replicas ?? 1 },
      ...(changes.budget ? { budget: changes.budget } : {}),
      rollout: { strategy: changes.strategy ?? 'surge', drainDeadline: '10s' },
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}
