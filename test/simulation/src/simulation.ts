import type { IntentAnswer, RecordedEvent } from '@davit/contracts';
import {
  type DeploymentState,
  type ReplicaState,
  type RouteState,
  LAWS,
  LIFECYCLE_KINDS,
  type Violation,
  canonicalJson,
  checkAgainst,
  groupOf,
  lifecycleProjection,
  pausedDeploymentsRest,
} from '@davit/domain';
import { type EventLog, type EvidenceStore, createMemoryLog } from '@davit/event-log';
import { type Logger, type Random, VirtualClock, seededRandom, sequentialIds, silentLogger } from '@davit/ports';
import {
  type ProjectionDefinition,
  MemoryProjectionStore,
  foldUpTo,
  inMemoryProjectionStores,
} from '@davit/projection';
import { IntentHandler } from '@davit/spec-api';
import { unpublishedEvents } from '@davit/test-support/published-events';
import { MemoryHost, type TimingOverrides, type World, createWorld, seeded } from '@davit/world';
import { MemoryFiles, skyCommands, worldHttp } from './outside.js';
import { type ServiceSettings, serviceBuilders } from './services.js';
import { sharedFold } from './shared-fold.js';
import { SimulatedService } from './simulated-service.js';
import type { Tap } from '@davit/stage';

export interface SimulationOptions extends ServiceSettings {
  readonly seed: number;
  /** Longest random delay of each call to log, leases and stores; gives every seed interleavings of its own. */
  readonly maxDelayMs?: number;
  /** Instances of each service, which share its tables as in production. Default 1. */
  readonly instances?: number;
  /** Share of feed deliveries that are lost, and as many again that come twice. Default 0. */
  readonly feedTrouble?: number;
  readonly logger?: Logger;
  /** How long the outside takes, where that differs from usual. */
  readonly timings?: TimingOverrides;
  /** Sees what the services ask for, and may stand in their way. */
  readonly tap?: Tap;
}

/** A budget as users write it. */
export interface SpendCeilings {
  readonly maxHourly?: string;
  readonly maxTotal?: string;
  readonly onExceed: 'refuse' | 'drain';
}

/** A manifest as users write it. */
export type Manifest = Readonly<Record<string, unknown>>;

const ORIGIN = { channel: 'http' } as const;
const ANSWER_LIMIT_MS = 60_000;

/** The whole system and the outside in one process on virtual time. The seed decides everything. */
export class Simulation {
  readonly clock = new VirtualClock();
  readonly random: Random;
  readonly world: World;
  readonly services: readonly SimulatedService[];
  private readonly frontDoor: IntentHandler;
  private readonly parts;
  /** Grows with the log, with every table of a service and with the ledger. */
  private revision = 0;
  /** Events up to here were held against the published schemas. */
  private published = 0;

  constructor(options: SimulationOptions) {
    const { seed, maxDelayMs = 0, instances = 1, feedTrouble = 0, logger = silentLogger, tap } = options;
    const { clock } = this;
    this.random = seededRandom(seed);
    this.parts = createMemoryLog({ clock, ids: sequentialIds(2) });
    const touched = (): void => void (this.revision += 1);
    this.parts.log.onAppended(touched);
    this.world = createWorld({
      ...{ clock, random: seeded(seed), host: new MemoryHost(clock), onLedgerChange: touched },
      ...(options.timings === undefined ? {} : { timings: options.timings }),
    });
    const files = new MemoryFiles();
    const outside = { http: worldHttp(this.world, clock), commands: skyCommands(this.world, clock, files) };
    // The fold narrows the documents that the store keeps by kind.
    const projection = sharedFold(lifecycleProjection);
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
    this.services = Object.entries(serviceBuilders(files, this.world.keys, options)).flatMap(([name, build]) => {
      const stores = inMemoryProjectionStores(touched);
      return Array.from(
        { length: instances },
        (_, instance) => new SimulatedService({ ...shared, name, instance, stores, build }),
      );
    });
    // A front door has tables of its own, which another service's are as good as: both are the fold of the same log.
    const model = this.service('orchestrator').stores.store(lifecycleProjection);
    this.frontDoor = new IntentHandler(
      { log: this.parts.log, model, clock, ids: sequentialIds(1), random: seededRandom(seed + 3) },
      'spec-api',
    );
  }

  start(): void {
    for (const service of this.services) service.start();
  }
  service(name: string): SimulatedService {
    const found = this.services.find((one) => one.name === name);
    if (!found) throw new Error(`no service ${name}`);
    return found;
  }

  /**
   * Declares what a user writes, at the front door's own code.
   * @throws Error with the front door's words when it refuses
   */
  async apply(manifest: Manifest): Promise<void> {
    const answer = await this.answered(this.frontDoor.apply(manifest, ORIGIN));
    if (answer.outcome === 'rejected') throw new Error(answer.detail);
  }
  /** False when there is nothing of this name, `<tenant>/<name>`, to delete. */
  remove(key: string): Promise<boolean> {
    return this.ordered(key, (named) => this.frontDoor.delete(named, ORIGIN));
  }

  /** As many replicas from now on; false when there is no deployment of this name to stay. */
  scale(key: string, replicas: number): Promise<boolean> {
    return this.ordered(key, (named) => this.frontDoor.scale({ ...named, replicas }, ORIGIN));
  }
  /** What serves stays, and nothing is started, replaced or deleted. */
  pause(key: string): Promise<boolean> {
    return this.ordered(key, (named) => this.frontDoor.pause({ ...named, reason: 'somebody looks at it' }, ORIGIN));
  }
  resume(key: string): Promise<boolean> {
    return this.ordered(key, (named) => this.frontDoor.resume(named, ORIGIN));
  }

  /** An operator's word on a rollout; false where it is refused. */
  async rollout(verb: 'approve' | 'reject' | 'abort', rollout: string, evidenceDigest: string): Promise<boolean> {
    const body = { rollout, evidenceDigest, reason: 'looked at it' };
    return (await this.answered(this.frontDoor.rollout(verb, body, ORIGIN))).outcome === 'accepted';
  }

  /** Lets starts that were given up be paid for again. */
  async retry(key: string): Promise<void> {
    const [tenant, name] = key.split('/');
    await this.answered(this.frontDoor.retry({ tenant, name }, ORIGIN));
  }

  /** Sets what the deployments of a tenant may spend together; null takes its ceilings away, if there are any. */
  async setBudget(tenant: string, budget: SpendCeilings | null): Promise<void> {
    const asked = budget
      ? this.frontDoor.setBudget({ tenant, budget }, ORIGIN)
      : this.frontDoor.clearBudget({ tenant }, ORIGIN);
    const answer = await this.answered(asked);
    if (budget && answer.outcome === 'rejected') throw new Error(answer.detail);
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
  get evidence(): Pick<EvidenceStore, 'get'> {
    return this.parts.evidence;
  }
  async events(): Promise<readonly RecordedEvent[]> {
    return this.parts.log.read(0, Number.MAX_SAFE_INTEGER);
  }
  async deployment(key: string): Promise<DeploymentState | undefined> {
    return this.document<DeploymentState>('deployment', key);
  }
  async replicas(): Promise<readonly ReplicaState[]> {
    return this.replicasIn();
  }
  /** Those of one deployment that are not proven gone. */
  async replicasOf(key: string): Promise<readonly ReplicaState[]> {
    return this.replicasIn(groupOf.present(key));
  }
  async route(alias: string): Promise<RouteState | undefined> {
    return this.document<RouteState>('route', alias);
  }
  /** @param clockSkewMs by so much the clocks of services were wrong at most; what they observed may be stamped with it */
  async violations(ended: boolean, clockSkewMs?: number): Promise<readonly Violation[]> {
    const events = await this.events();
    const odd = unpublishedEvents(events.slice(this.published));
    if (odd.length > 0)
      throw new Error(`events that docs/reference/events.schema.json does not allow:\n${odd.join('\n')}`);
    this.published = events.length;
    const rules = [...LAWS, pausedDeploymentsRest];
    return checkAgainst(rules, events, { ended, ...(clockSkewMs === undefined ? {} : { clockSkewMs }) });
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

  private async replicasIn(group?: string): Promise<readonly ReplicaState[]> {
    const store = this.service('orchestrator').stores.store(lifecycleProjection);
    return (await store.list<ReplicaState>('replica', group)).map(({ document }) => document);
  }

  private async document<Shape extends DeploymentState | RouteState>(
    kind: string,
    key: string,
  ): Promise<Shape | undefined> {
    const store = this.service('orchestrator').stores.store(lifecycleProjection);
    return (await store.get<Shape>(kind, key))?.document;
  }

  private async ordered(key: string, order: (named: Named) => Promise<IntentAnswer>): Promise<boolean> {
    const [tenant = '', name = ''] = key.split('/');
    return (await this.answered(order({ tenant, name }))).outcome === 'accepted';
  }

  /** Lets time pass while an intent is on its way. */
  private async answered(asked: Promise<IntentAnswer>): Promise<IntentAnswer> {
    let settled = false;
    const ended = (): void => void (settled = true);
    asked.then(ended, ended);
    if (await this.clock.runUntil(() => settled, ANSWER_LIMIT_MS)) return asked;
    throw new Error(`the front door gave no answer in ${ANSWER_LIMIT_MS} ms`);
  }
}

type Named = { readonly tenant: string; readonly name: string };

async function dump(store: MemoryProjectionStore): Promise<string> {
  const kinds = await Promise.all(LIFECYCLE_KINDS.map((kind) => store.list(kind)));
  return kinds
    .flat()
    .map(({ kind, key, position, document }) => JSON.stringify([kind, key, position, textOf(document)]))
    .join('\n');
}

/** Services that folded the same log mostly hold the very same frozen documents. */
const texts = new WeakMap<object, string>();

function textOf(document: object): string {
  const known = texts.get(document);
  if (known !== undefined) return known;
  const text = canonicalJson(document);
  texts.set(document, text);
  return text;
}
