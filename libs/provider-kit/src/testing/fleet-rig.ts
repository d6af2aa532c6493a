import { type NewEvent, type RecordedEvent, stream } from '@davit/contracts';
import { externalKeyOf, lifecycleProjection, type OrphanState, type ReplicaState, replicaIdOf } from '@davit/domain';
import { createMemoryLog, type Lease } from '@davit/event-log';
import { sequentialIds, silentLogger, VirtualClock } from '@davit/ports';
import { foldPage, MemoryProjectionStore } from '@davit/projection';
import type { Controller, ReconcileContext, ReconcileResult } from '@davit/reconcile';
import { specification } from './rig.js';

export const INSTALLATION = 'test';
const DEPLOYMENT = 'default/qwen';
const LEASE_TTL_MS = 5_000;

export interface FleetHooks {
  /** Runs right before an append reaches the log. */
  readonly beforeAppend?: (types: readonly string[]) => Promise<void> | void;
  /** Runs after an append and before the controller goes on; throwing is a crash at this point. */
  readonly afterAppend?: (types: readonly string[]) => Promise<void> | void;
}

/** A log in memory with any number of replicas, folded as services fold it, and controllers that are driven pass by pass. */
export class FleetRig {
  readonly clock = new VirtualClock();
  readonly events: RecordedEvent[] = [];
  readonly store = new MemoryProjectionStore();
  private readonly memory = createMemoryLog({ clock: this.clock, ids: sequentialIds() });
  private readonly holders = new Map<string, string>();
  private declared = false;

  async given(streamName: string, ...events: [NewEvent, ...NewEvent[]]): Promise<void> {
    const write = { stream: streamName, expectedVersion: 'any', events } as const;
    const result = await this.memory.log.append([write], { tenant: 'default', service: 'test' });
    if (result.outcome !== 'appended') throw new Error(result.outcome);
    await this.fold();
  }

  keyOf(ordinal: number): string {
    return externalKeyOf({ deployment: DEPLOYMENT, revision: 1, ordinal, incarnation: 1 }, INSTALLATION);
  }

  idOf(ordinal: number): string {
    return replicaIdOf({ deployment: DEPLOYMENT, revision: 1, ordinal, incarnation: 1 });
  }

  /** A replica that is to be looked for. */
  async requested(ordinal: number): Promise<void> {
    await this.declare();
    const id = this.idOf(ordinal);
    await this.given(
      stream.replica(id),
      {
        type: 'davit.replica.requested',
        data: {
          replicaId: id,
          deployment: DEPLOYMENT,
          revision: 1,
          ordinal,
          incarnation: 1,
          externalKey: this.keyOf(ordinal),
          mode: 'elastic',
          adapter: 'skypilot',
          servedName: 'qwen',
          reason: 'wanted',
          replaces: null,
        },
      },
      { type: 'davit.replica.discovery-requested', data: { replicaId: id, attempt: 1 } },
    );
  }

  async launchRequested(ordinal: number): Promise<void> {
    const replicaId = this.idOf(ordinal);
    const deadlineAt = new Date(this.clock.nowMs() + 900_000).toISOString();
    await this.given(stream.replica(replicaId), {
      type: 'davit.replica.launch-requested',
      data: { replicaId, attempt: 1, deadlineAt },
    });
  }

  async deleteRequested(ordinal: number): Promise<void> {
    const replicaId = this.idOf(ordinal);
    await this.given(stream.replica(replicaId), {
      type: 'davit.replica.delete-requested',
      data: { replicaId, reason: 'the deployment is deleted' },
    });
  }

  async deleted(ordinal: number): Promise<void> {
    const replicaId = this.idOf(ordinal);
    await this.given(stream.replica(replicaId), { type: 'davit.replica.deleted', data: { replicaId, reason: 'gone' } });
  }

  /** A fact about the replica's own thing. */
  async fact(ordinal: number, name: string, data: object): Promise<void> {
    const externalKey = this.keyOf(ordinal);
    const whole = { externalKey, replicaId: this.idOf(ordinal), adapter: 'skypilot', ...data };
    // The caller names a fact together with its own data.
    await this.given(stream.resource(externalKey), { type: `davit.resource.${name}`, data: whole } as NewEvent);
  }

  /** One pass of a controller over a key, under a lease of its own. */
  async pass(controller: Controller, key: string, hooks: FleetHooks = {}): Promise<ReconcileResult> {
    const lease = await this.acquire(`${controller.name}/${key}`);
    const context: ReconcileContext = {
      key,
      model: this.store,
      logger: silentLogger,
      epoch: lease.epoch,
      nowMs: () => this.clock.nowMs(),
      holdsLease: () => this.memory.leases.holds(lease),
      append: async (writes, options) => {
        const types = writes.flatMap(({ events }) => events.map(({ type }) => type));
        await hooks.beforeAppend?.(types);
        const result = await this.memory.log.append(writes, { ...options, service: 'test', lease });
        await this.fold();
        await hooks.afterAppend?.(types);
        return result;
      },
    };
    return controller.reconcile(context);
  }

  /** Another process takes the lease over. */
  async stealLease(controller: Controller, key: string): Promise<void> {
    const name = `${controller.name}/${key}`;
    const lease = await this.acquire(name);
    await this.memory.leases.release(lease);
    this.holders.set(name, `${lease.holder}+`);
    await this.acquire(name);
  }

  async orphans(): Promise<readonly OrphanState[]> {
    return (await this.store.list<OrphanState>('orphan')).map(({ document }) => document);
  }

  async replica(ordinal: number): Promise<ReplicaState> {
    const stored = await this.store.get<ReplicaState>('replica', this.idOf(ordinal));
    if (!stored) throw new Error('no such replica');
    return stored.document;
  }

  /** About whom an alarm is up, by its name. */
  async alarms(name: string): Promise<readonly unknown[]> {
    const all = await this.store.list('alarm');
    return all.flatMap(({ document }) => (document['alarm'] === name ? [document['about']] : []));
  }

  /** Types of the facts in streams whose name holds `text`, without their category. */
  facts(text: string): string[] {
    return this.events
      .filter(({ stream: name, type }) => name.includes(text) && /^davit\.(resource|endpoint)\./.test(type))
      .map(({ type }) => type.replace(/^davit\.\w+\./, ''));
  }

  private async declare(): Promise<void> {
    if (this.declared) return;
    this.declared = true;
    await this.given(stream.deployment(DEPLOYMENT), {
      type: 'davit.deployment.declared',
      data: {
        intentId: '00000000-0000-7000-8000-000000000001',
        revision: 1,
        generation: 1,
        templateDigest: 'a'.repeat(64),
        spec: specification(),
      },
    });
  }

  private async acquire(name: string): Promise<Lease> {
    const lease = await this.memory.leases.acquire(name, this.holders.get(name) ?? 'one', LEASE_TTL_MS);
    if (!lease) throw new Error('the lease is held by somebody else');
    return lease;
  }

  private async fold(): Promise<void> {
    const from = await this.store.position();
    const events = await this.memory.log.read(from, 1_000);
    if (events.length === 0) return;
    this.events.push(...events);
    const page = await foldPage(lifecycleProjection, from, events, (refs) => this.store.getMany(refs));
    if (page.failure) throw page.failure;
    await this.store.commit(from, page.to, page.changes);
  }
}
