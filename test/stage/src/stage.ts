import { type DeploymentSpec, type NewEvent, type RecordedEvent, parseDeployment, stream } from '@davit/contracts';
import { type ReplicaState, type RouteState, lifecycleProjection } from '@davit/domain';
import { type EventLog, type Leases, type MemoryEventLog, createMemoryLog } from '@davit/event-log';
import { type Clock, VirtualClock, seededRandom, sequentialIds, silentLogger } from '@davit/ports';
import {
  type ProjectionDefinition,
  type ReadModel,
  createProjectionRunner,
  inMemoryProjectionStores,
} from '@davit/projection';
import { type Controller, createControlLoop } from '@davit/reconcile';
import { Life } from './life.js';

/** What of a service ends with it. */
export interface Mortal {
  readonly life: Life;
  readonly log: EventLog;
  readonly clock: Clock;
}

/** A log in memory on a clock of its own, with the control loop of one service over it. */
export class Stage {
  readonly clock = new VirtualClock();
  private readonly memory = createMemoryLog({ clock: this.clock, ids: sequentialIds() });
  private readonly stores = inMemoryProjectionStores();
  // The fold names its documents by shape, the runner by kind; what goes in is what comes out.
  private readonly definition = lifecycleProjection as unknown as ProjectionDefinition;

  constructor(private readonly service: string) {}

  /**
   * Starts the service anew over the same log; its read model and its memory begin empty.
   * @param mortal the life that it is lived in, and log and clock as that life sees them; left out, it never dies
   */
  start(controllers: readonly Controller[], instanceId = 'one', mortal?: Mortal): () => Promise<void> {
    const { feed } = this.memory;
    const { life = new Life(), log = this.memory.log, clock = this.clock } = mortal ?? {};
    const common = { log, clock, logger: silentLogger };
    const store = life.wrap(this.stores.store({ ...this.definition, name: instanceId }));
    const leases = life.wrap(this.memory.leases);
    const projection = createProjectionRunner({ ...common, feed, store, definition: this.definition });
    const random = seededRandom(1);
    const loop = createControlLoop({
      ...common,
      service: this.service,
      instanceId,
      leases,
      projection,
      controllers,
      random,
    });
    void loop.start();
    return () => loop.stop();
  }

  get log(): MemoryEventLog {
    return this.memory.log;
  }

  get leases(): Pick<Leases, 'holds'> {
    return this.memory.leases;
  }

  /** The read model of an instance. */
  model(instanceId = 'one'): Pick<ReadModel, 'get'> {
    return this.stores.store({ ...this.definition, name: instanceId });
  }

  /** The same, whole: what services that list documents read. */
  readModel(instanceId: string): ReadModel {
    return this.stores.store({ ...this.definition, name: instanceId });
  }

  async given(name: string, ...events: readonly [NewEvent, ...NewEvent[]]): Promise<void> {
    const write = { stream: name, expectedVersion: 'any' as const, events };
    await this.memory.log.append([write], { tenant: 'default', service: 'test', correlationId: 'intent-1' });
  }

  /** Events of one stream category that the service wrote. */
  async written(category: string): Promise<readonly RecordedEvent[]> {
    const events = await this.memory.log.read(0, 10_000);
    return events.filter(
      ({ type, source }) => type.startsWith(`davit.${category}.`) && source === `/davit/${this.service}`,
    );
  }

  async replica(id: string, instanceId = 'one'): Promise<ReplicaState | undefined> {
    return (await this.stores.store({ ...this.definition, name: instanceId }).get<ReplicaState>('replica', id))
      ?.document;
  }

  async route(alias: string, instanceId = 'one'): Promise<RouteState | undefined> {
    return (await this.stores.store({ ...this.definition, name: instanceId }).get<RouteState>('route', alias))
      ?.document;
  }

  /** Moves the clock in small steps until the condition holds. */
  async until(condition: () => boolean | Promise<boolean>, limitMs = 60_000): Promise<void> {
    if (!(await this.clock.runUntil(condition, limitMs))) throw new Error(`not so within ${limitMs} ms`);
  }
}

export const KEY = 'default/qwen';
export const REPLICA = `${KEY}-1-0-1`;
export const RESOURCE = stream.resource('dv-test');

/** `deployment.declared` with these parts of the specification in place of the usual ones. */
export function declared(changes: { readonly [Part in keyof DeploymentSpec]?: object } = {}): NewEvent {
  const parsed = parseDeployment({
    apiVersion: 'davit.dev/v1',
    kind: 'Deployment',
    metadata: { name: 'qwen' },
    spec: {
      model: { id: 'Qwen/Qwen3-8B', servedName: 'qwen' },
      runtime: { engine: 'vllm' },
      compute: { mode: 'elastic', placements: [{ cloud: 'runpod', accelerator: 'L40S:1' }] },
      scaling: { replicas: 1 },
      ...changes,
    },
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  const intentId = '00000000-0000-7000-8000-000000000001';
  const data = { intentId, generation: 1, revision: 1, templateDigest: '0'.repeat(64), spec: parsed.deployment };
  return { type: 'davit.deployment.declared', data };
}

export const requested = (ordinal = 0): NewEvent => ({
  type: 'davit.replica.requested',
  data: {
    replicaId: `${KEY}-1-${ordinal}-1`,
    deployment: KEY,
    revision: 1,
    ordinal,
    incarnation: 1,
    externalKey: 'dv-test',
    mode: 'elastic',
    adapter: 'skypilot',
    servedName: 'qwen',
    reason: 'test',
    replaces: null,
  },
});
