import { type NormalisedDeployment, type RecordedEvent, stream } from '@davit/contracts';
import {
  type DeploymentState,
  type RouteState,
  type Violation,
  canonicalJson,
  checkLaws,
  declare,
  evolveDeployment,
  lifecycleProjection,
  requestDeletion,
} from '@davit/domain';
import { type EventLog, createMemoryLog } from '@davit/event-log';
import { type Logger, type Random, VirtualClock, seededRandom, sequentialIds, silentLogger } from '@davit/ports';
import {
  type ProjectionDefinition,
  MemoryProjectionStore,
  foldUpTo,
  inMemoryProjectionStores,
} from '@davit/projection';
import { MemoryHost, type World, createWorld, seeded } from '@davit/world';
import { MemoryFiles, skyCommands, worldHttp } from './outside.js';
import { serviceBuilders } from './services.js';
import { sharedFold } from './shared-fold.js';
import { SimulatedService } from './simulated-service.js';
import type { Tap } from './tap.js';

export interface SimulationOptions {
  readonly seed: number;
  /** Longest random delay of each call to log, leases and stores; gives every seed interleavings of its own. */
  readonly maxDelayMs?: number;
  /** Instances of each service, which share its tables as in production. Default 1. */
  readonly instances?: number;
  /** Share of feed deliveries that are lost, and as many again that come twice. Default 0. */
  readonly feedTrouble?: number;
  readonly logger?: Logger;
  /** Sees what the services ask for, and may stand in their way. */
  readonly tap?: Tap;
}

/** The whole system and the outside in one process on virtual time. The seed decides everything. */
export class Simulation {
  readonly clock = new VirtualClock();
  readonly random: Random;
  readonly world: World;
  readonly services: readonly SimulatedService[];
  private readonly ids = sequentialIds(1);
  private readonly parts;
  /** Grows with the log, with every table of a service and with the ledger. */
  private revision = 0;

  constructor(options: SimulationOptions) {
    const { seed, maxDelayMs = 0, instances = 1, feedTrouble = 0, logger = silentLogger, tap } = options;
    const { clock } = this;
    this.random = seededRandom(seed);
    this.parts = createMemoryLog({ clock, ids: sequentialIds(2) });
    const touched = (): void => void (this.revision += 1);
    this.parts.log.onAppended(touched);
    this.world = createWorld({ clock, random: seeded(seed), host: new MemoryHost(clock), onLedgerChange: touched });
    const files = new MemoryFiles();
    const outside = { http: worldHttp(this.world, clock), commands: skyCommands(this.world, clock, files) };
    // The fold narrows the documents that the store keeps by kind.
    const projection = sharedFold(lifecycleProjection as unknown as ProjectionDefinition);
    const { random } = this;
    const shared = {
      ...this.parts,
      ...outside,
      projection,
      clock,
      random,
      logger,
      maxDelayMs,
      feedTrouble,
      tap,
    };
    this.services = Object.entries(serviceBuilders(files, this.world.keys)).flatMap(([name, build]) => {
      const stores = inMemoryProjectionStores(touched);
      return Array.from(
        { length: instances },
        (_, instance) => new SimulatedService({ ...shared, name, instance, stores, build }),
      );
    });
  }

  start(): void {
    for (const service of this.services) service.start();
  }
  service(name: string): SimulatedService {
    const found = this.services.find((one) => one.name === name);
    if (!found) throw new Error(`no service ${name}`);
    return found;
  }

  async apply(deployment: NormalisedDeployment): Promise<void> {
    const { tenant, name } = deployment.metadata;
    const outcome = await this.decide(`${tenant}/${name}`, (state, intentId) => declare(state, deployment, intentId));
    if (outcome.outcome === 'refused') throw new Error(outcome.detail);
  }
  /** False when there is nothing of this name to delete. */
  async remove(key: string): Promise<boolean> {
    const outcome = await this.decide(key, (state, intentId) => requestDeletion(state, key, intentId));
    return outcome.outcome === 'accepted';
  }

  /** Moves time until `done` holds; false when it does not within `limitMs` of virtual time. */
  runUntil(done: () => Promise<boolean>, limitMs: number): Promise<boolean> {
    return this.clock.runUntil(done, limitMs);
  }
  /** The same for what can change only with the log, the documents of a service, or the world's ledger: asked only then. */
  runUntilState(done: () => Promise<boolean>, limitMs: number): Promise<boolean> {
    return this.clock.runUntil(done, limitMs, () => this.revision);
  }

  get log(): EventLog {
    return this.parts.log;
  }
  async events(): Promise<readonly RecordedEvent[]> {
    return this.parts.log.read(0, Number.MAX_SAFE_INTEGER);
  }
  async deployment(key: string): Promise<DeploymentState | undefined> {
    return this.document<DeploymentState>('deployment', key);
  }
  async route(alias: string): Promise<RouteState | undefined> {
    return this.document<RouteState>('route', alias);
  }
  async violations(ended: boolean): Promise<readonly Violation[]> {
    return checkLaws(await this.events(), { ended });
  }

  /** Services whose documents differ from a fresh fold of the whole log (law 1). */
  async differingProjections(): Promise<readonly string[]> {
    const definition = lifecycleProjection as unknown as ProjectionDefinition;
    const rebuilt = new MemoryProjectionStore();
    await foldUpTo(definition, this.parts.log, rebuilt, 0, await this.parts.log.head());
    const wanted = await dump(rebuilt);
    const different: string[] = [];
    for (const service of this.services) {
      if ((await dump(service.stores.store(lifecycleProjection))) !== wanted) different.push(service.name);
    }
    return different;
  }

  /** True when every running service has folded in the whole log. */
  async caughtUp(): Promise<boolean> {
    const head = await this.parts.log.head();
    const positions = await Promise.all(
      this.services.map((service) => service.stores.store(lifecycleProjection).position()),
    );
    return positions.every((position) => position === head);
  }

  private async document<Shape extends DeploymentState | RouteState>(
    kind: string,
    key: string,
  ): Promise<Shape | undefined> {
    const store = this.service('orchestrator').stores.store(lifecycleProjection);
    return (await store.get<Shape>(kind, key))?.document;
  }

  private async decide(
    key: string,
    decider: (state: DeploymentState | undefined, intentId: string) => ReturnType<typeof declare>,
  ): Promise<ReturnType<typeof declare>> {
    const intentId = this.ids.uuid();
    for (;;) {
      const events = await this.parts.log.readStream(stream.deployment(key));
      let state: DeploymentState | undefined;
      for (const event of events) state = evolveDeployment(state, event);
      const outcome = decider(state, intentId);
      const [first, ...rest] = outcome.outcome === 'accepted' ? outcome.events : [];
      if (!first) return outcome;
      const result = await this.parts.log.append(
        [{ stream: stream.deployment(key), expectedVersion: events.length, events: [first, ...rest] }],
        { tenant: key.slice(0, key.indexOf('/')), service: 'spec-api', correlationId: intentId },
      );
      if (result.outcome === 'appended') return outcome;
    }
  }
}

async function dump(store: MemoryProjectionStore): Promise<string> {
  const kinds = await Promise.all(['deployment', 'replica', 'route'].map((kind) => store.list(kind)));
  return canonicalJson(kinds.flat());
}
