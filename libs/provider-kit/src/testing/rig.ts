import {
  type NewEvent,
  type NormalisedDeployment,
  parseDeployment,
  type RecordedEvent,
  stream,
} from '@davit/contracts';
import { externalKeyOf, type LifecycleDocument, lifecycleProjection, type ReplicaState } from '@davit/domain';
import { createMemoryLog, type Lease } from '@davit/event-log';
import { sequentialIds, silentLogger, VirtualClock } from '@davit/ports';
import type { Document, ReadModel } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';

export const REPLICA = 'default/qwen-1-0-1';
const DEPLOYMENT = 'default/qwen';
const LEASE_TTL_MS = 5_000;

/** A log in memory with one replica on it, and a controller that is driven pass by pass. */
export class Rig {
  readonly clock = new VirtualClock();
  private readonly memory = createMemoryLog({ clock: this.clock, ids: sequentialIds() });
  private readonly documents = new Map<string, LifecycleDocument>();
  private folded = 0;
  private lease: Lease | undefined;
  readonly externalKey = externalKeyOf({ deployment: DEPLOYMENT, revision: 1, ordinal: 0, incarnation: 1 }, 'test');

  constructor(readonly spec: NormalisedDeployment = specification()) {}

  /** Appends as another service would. */
  async given(streamName: string, ...events: [NewEvent, ...NewEvent[]]): Promise<void> {
    const result = await this.memory.log.append([{ stream: streamName, expectedVersion: 'any', events }], {
      tenant: 'default',
      service: 'test',
    });
    if (result.outcome !== 'appended') throw new Error(result.outcome);
    await this.fold();
  }

  /** A declared deployment and a replica of it that is to be looked for. */
  async requested(): Promise<this> {
    const { compute } = this.spec.spec;
    await this.given(stream.deployment(DEPLOYMENT), {
      type: 'davit.deployment.declared',
      data: {
        intentId: '00000000-0000-7000-8000-000000000001',
        revision: 1,
        generation: 1,
        templateDigest: 'a'.repeat(64),
        spec: this.spec,
      },
    });
    await this.given(
      stream.replica(REPLICA),
      {
        type: 'davit.replica.requested',
        data: {
          replicaId: REPLICA,
          deployment: DEPLOYMENT,
          revision: 1,
          ordinal: 0,
          incarnation: 1,
          externalKey: this.externalKey,
          mode: compute.mode,
          adapter: compute.adapter,
          servedName: 'qwen',
          reason: 'wanted',
          replaces: null,
        },
      },
      { type: 'davit.replica.discovery-requested', data: { replicaId: REPLICA, attempt: 1 } },
    );
    return this;
  }

  async launchRequested(): Promise<this> {
    const { compute } = this.spec.spec;
    const placements = compute.mode === 'elastic' ? compute.placements : [];
    const placement = placements[0] ?? null;
    const evidence = placements.map((candidate, rung) => ({
      rung,
      placement: candidate,
      state: 'unknown' as const,
      source: 'none',
      scope: 'none',
      observedAt: null,
      verdict: rung === 0 ? ('chosen' as const) : ('next' as const),
      reason: 'first of the ladder',
    }));
    await this.given(
      stream.replica(REPLICA),
      {
        type: 'davit.replica.placed',
        data: { replicaId: REPLICA, rung: placement && 0, placement, adopted: false, price: null, evidence },
      },
      {
        type: 'davit.replica.launch-requested',
        data: { replicaId: REPLICA, attempt: 1, deadlineAt: new Date(this.clock.nowMs() + 900_000).toISOString() },
      },
    );
    return this;
  }

  async deleteRequested(): Promise<this> {
    await this.given(stream.replica(REPLICA), {
      type: 'davit.replica.delete-requested',
      data: { replicaId: REPLICA, reason: 'the deployment is deleted' },
    });
    return this;
  }

  /** One pass of the controller under a lease of its own, with hooks into the moments that matter. */
  async pass(controller: Controller, hooks: PassHooks = {}): Promise<ReconcileResult> {
    const lease = await this.acquire();
    const context: ReconcileContext = {
      key: REPLICA,
      model: hooks.model ?? this.model,
      logger: silentLogger,
      epoch: lease.epoch,
      nowMs: () => this.clock.nowMs(),
      holdsLease: () => this.memory.leases.holds(lease),
      append: async (writes, options) => {
        const result = await this.memory.log.append(writes, { ...options, service: 'test', lease });
        await this.fold();
        await hooks.afterAppend?.(writes[0].events.map(({ type }) => type));
        return result;
      },
    };
    await hooks.beforePass?.();
    return controller.reconcile(context);
  }

  /** Passes until one that appends nothing, at one instant. */
  async settle(controller: Controller, hooks: PassHooks = {}): Promise<ReconcileResult> {
    for (let passes = 0; passes < 50; passes++) {
      const before = this.folded;
      const result = await this.pass(controller, hooks);
      if (this.folded === before) return result;
    }
    throw new Error(`the controller does not come to rest: ${this.facts().slice(-6).join(', ')}`);
  }

  /** Lets virtual time pass in small steps, with a pass at each. */
  async run(controller: Controller, ms: number, stepMs = 1_000): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(stepMs);
      await this.pass(controller);
    }
  }

  /** Another process takes the lease over. */
  async stealLease(): Promise<void> {
    if (this.lease) await this.memory.leases.release(this.lease);
    this.lease = await this.memory.leases.acquire(REPLICA, 'another', LEASE_TTL_MS);
  }

  private async acquire(): Promise<Lease> {
    const holder = this.lease?.holder ?? 'one';
    const lease = await this.memory.leases.acquire(REPLICA, holder, LEASE_TTL_MS);
    if (!lease) throw new Error('the lease is held by somebody else');
    this.lease = lease;
    return lease;
  }

  get replica(): ReplicaState {
    const document = this.documents.get(`replica:${REPLICA}`);
    if (!document) throw new Error('no replica yet');
    return document as ReplicaState;
  }

  readonly events: RecordedEvent[] = [];

  /** Types of the facts about the resource, without `davit.resource.`. */
  facts(): string[] {
    return this.events
      .filter(({ type }) => /^davit\.(resource|endpoint)\./.test(type))
      .map(({ type }) => type.replace(/^davit\.\w+\./, ''));
  }

  /** What the log has folded to so far. */
  readonly model: ReadModel = {
    get: <Shape extends Document>(kind: string, key: string) => {
      const document = this.documents.get(`${kind}:${key}`);
      // The caller names the shape that the fold gives this kind.
      return Promise.resolve(document && { kind, key, document: document as unknown as Shape, position: this.folded });
    },
    list: () => Promise.resolve([]),
    scan: () => Promise.resolve([]),
    position: () => Promise.resolve(this.folded),
  };

  /** A model that stands still where the log is now. */
  frozenModel(): ReadModel {
    const documents = new Map(this.documents);
    return {
      ...this.model,
      get: <Shape extends Document>(kind: string, key: string) => {
        const document = documents.get(`${kind}:${key}`);
        return Promise.resolve(document && { kind, key, document: document as unknown as Shape, position: 0 });
      },
    };
  }

  private async fold(): Promise<void> {
    const events = await this.memory.log.read(this.folded, 1_000);
    for (const event of events) {
      this.events.push(event);
      this.folded = event.position;
      for (const ref of lifecycleProjection.refs(event)) {
        const name = `${ref.kind}:${ref.key}`;
        const next = lifecycleProjection.evolve(this.documents.get(name), event, ref);
        if (next) this.documents.set(name, next);
      }
    }
  }
}

export interface PassHooks {
  /** Runs once the lease is taken. */
  readonly beforePass?: () => Promise<void>;
  /** Runs after an append and before the controller goes on; throwing is a crash at this point. */
  readonly afterAppend?: (types: readonly string[]) => Promise<void> | void;
  readonly model?: ReadModel;
}

/** A crash: nothing of the pass goes on. */
export class Crash extends Error {}

export function specification(compute: Record<string, unknown> = ELASTIC, changes: object = {}): NormalisedDeployment {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm', version: '0.11.0' },
      compute,
      ...changes,
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.deployment;
}

const ELASTIC = { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] };
