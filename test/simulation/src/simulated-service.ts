import type { RecordedEvent } from '@davit/contracts';
import type { EventLog, EvidenceStore, LogFeed, Leases } from '@davit/event-log';
import { type Clock, type CommandRunner, type HttpClient, type Logger, type Random, sleep } from '@davit/ports';
import {
  type MemoryProjectionStores,
  type ProjectionDefinition,
  type ReadModel,
  createProjectionRunner,
} from '@davit/projection';
import { type ControlLoop, type Controller, createControlLoop } from '@davit/reconcile';
import { type Around, Life, mortalClock, type Tap, tapped } from '@davit/stage';

/** What a service is built from, each port cut off when its life ends. */
export interface ServiceBuildParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly http: HttpClient;
  readonly commands: CommandRunner;
  readonly evidence: EvidenceStore;
  /** Its own tables, to read. */
  readonly model: ReadModel;
}

export interface SimulatedServiceOptions extends Omit<ServiceBuildParts, 'model'> {
  readonly name: string;
  /** Tells instances of one service apart. */
  readonly instance: number;
  readonly projection: ProjectionDefinition;
  /** Tables of the service; they outlive its instances. */
  readonly stores: MemoryProjectionStores;
  readonly log: EventLog;
  readonly leases: Leases;
  readonly feed: LogFeed;
  readonly build: (parts: ServiceBuildParts) => readonly Controller[];
  /** Longest delay of a call to log, leases or store; 0 for none. */
  readonly maxDelayMs: number;
  /** Share of deliveries that are lost, and as many again that come twice. */
  readonly feedTrouble: number;
  /** Sees what the service asks for, and may stand in its way. */
  readonly tap?: Tap | undefined;
}

/** A service as in production, with its stores kept over crashes as a database would keep them. */
export class SimulatedService {
  private life = new Life();
  private loop: ControlLoop | undefined;
  private starts = 0;
  private clockErrorMs = 0;

  constructor(private readonly options: SimulatedServiceOptions) {}

  get name(): string {
    return this.options.name;
  }
  get stores(): MemoryProjectionStores {
    return this.options.stores;
  }
  get running(): boolean {
    return this.loop !== undefined;
  }

  start(): void {
    const { options } = this;
    const ports = tapped(options, options.tap, this);
    const life = new Life();
    this.life = life;
    this.starts += 1;
    const clock = mortalClock(options.clock, life, () => this.clockErrorMs);
    const slowly = this.delays(clock);
    const log = life.wrap(ports.log, slowly);
    const leases = life.wrap(options.leases, slowly);
    const store = life.wrap(this.stores.store(options.projection), slowly);
    const parts = {
      clock,
      model: store,
      evidence: life.wrap(options.evidence, slowly),
      random: options.random,
      logger: options.logger.child({ service: options.name, start: this.starts }),
      http: life.wrap(ports.http),
      commands: life.wrap(ports.commands),
    };
    const projection = createProjectionRunner({
      definition: options.projection,
      store,
      log,
      feed: feedOf(options.feed, life, options, (events, go) => options.tap?.deliver(this, events, go) ?? go()),
      clock,
      logger: parts.logger,
    });
    this.loop = createControlLoop({
      service: options.name,
      instanceId: `${options.name}-${options.instance}-${this.starts}`,
      log,
      leases,
      projection,
      controllers: options.build(parts),
      clock,
      random: options.random,
      logger: parts.logger,
    });
    void this.loop.start();
  }

  /** kill -9: whatever was under way stops where it waits. */
  crash(): void {
    this.life.end();
    this.loop = undefined;
  }

  /** Sets the clock of the host ahead by so much, or behind; the clocks of log, leases and all others stay right. */
  setClockWrong(byMs: number): void {
    this.clockErrorMs = byMs;
  }

  /** SIGSTOP: nothing of it moves until `resume`, while the time of everybody else goes on. */
  pause(): void {
    this.life.pause();
  }
  /** SIGCONT. */
  resume(): void {
    this.life.resume();
  }

  /**
   * Every write takes a while, and one read in five; either the call is late or its answer. An instance that dies meanwhile
   * leaves its work undone in the one case, and done without knowing in the other.
   */
  private delays(clock: Clock): Around {
    const { maxDelayMs, random } = this.options;
    if (maxDelayMs === 0) return (_, call) => call();
    return (name, call) => {
      if (!WRITES.has(name) && random.next() > SLOW_READS) return call();
      const wait = sleep(clock, maxDelayMs * random.next());
      return random.next() < 0.5 ? wait.then(call) : call().then((value) => wait.then(() => value));
    };
  }
}

const WRITES: ReadonlySet<string> = new Set(['append', 'commit', 'acquire', 'holds', 'release', 'put']);
const SLOW_READS = 0.2;

function feedOf(
  feed: LogFeed,
  life: Life,
  { feedTrouble, random }: Pick<SimulatedServiceOptions, 'feedTrouble' | 'random'>,
  through: (events: readonly RecordedEvent[], go: () => Promise<void>) => Promise<void>,
): LogFeed {
  return {
    subscribe: (afterPosition, onEvents) =>
      feed.subscribe(afterPosition, (events) =>
        life.guard(async () => {
          const fate = feedTrouble === 0 ? 1 : random.next();
          if (fate < feedTrouble) return;
          await through(events, () => onEvents(events));
          if (fate < 2 * feedTrouble) await onEvents(events);
        }),
      ),
  };
}
