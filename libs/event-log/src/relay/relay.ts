import type { Envelope } from '@davit/contracts';
import { type Clock, type Ids, type Logger, silentLogger, systemClock, systemIds } from '@davit/ports';
import type { NatsConnection, Subscription } from 'nats';
import { LogGapError, MirrorRefusedError } from '../errors.js';
import type { Leases } from '../event-log.js';
import { MirrorAligner } from './aligner.js';
import { ConnectionWatch } from './connection-watch.js';
import { JetStreamMirror, type MirrorLimits } from './jetstream-mirror.js';
import type { Mirror } from './mirror.js';
import { type MirrorNames, defaultMirrorNames } from './names.js';
import { Seniority } from './seniority.js';
import { type RelayStats, newRelayStats } from './stats.js';
import { Wakeup } from './wakeup.js';

/** What the relay reads; `PostgresEventLog` is one. */
export interface RelaySource {
  head(): Promise<number>;
  readEnvelopes(afterPosition: number, limit: number): Promise<readonly Envelope[]>;
}

export interface RelayOptions {
  readonly source: RelaySource;
  readonly connection: NatsConnection;
  /**
   * Saves rivals the work of publishing the same events; nothing depends on it, since the broker takes each position
   * once. Without it this relay always publishes.
   */
  readonly leases?: Leases;
  readonly names?: MirrorNames;
  readonly limits?: MirrorLimits;
  /** Events that a new mirror starts with. Default 100 000. */
  readonly refillDepth?: number;
  /** Events published in one go. Default 500. */
  readonly pageSize?: number;
  /** Longest time to notice growth when no poke comes. Default 100. */
  readonly pollMs?: number;
  /** Longest time to notice that an idle mirror was lost or replaced. Default 1 000. */
  readonly verifyMs?: number;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
}

const DEFAULTS = { refillDepth: 100_000, pageSize: 500, pollMs: 100, verifyMs: 1_000 };
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;
/** A relay that always has something to publish looks at the mirror after so many times its usual pause. */
const OVERDUE = 5;
/** A rival causes a refusal or two of a position; a broker that cannot store goes on refusing. */
const REFUSALS_OF_A_RIVAL = 3;

/**
 * Keeps the stream on the bus an exact mirror of the log: the event at position n is the message with sequence n.
 * There is no record of what was published: the end of the stream is the checkpoint. Any number of relays may run.
 */
export class LogRelay {
  readonly stats: RelayStats = newRelayStats();
  private readonly connection: ConnectionWatch;
  private readonly mirror: Mirror;
  private readonly aligner: MirrorAligner;
  private readonly seniority: Seniority;
  private readonly wakeup: Wakeup;
  private readonly clock: Clock;
  private readonly settings: typeof DEFAULTS;
  private readonly logger: Logger;
  private subscription: Subscription | undefined;
  private running: Promise<void> | undefined;
  private stopping = false;
  private settingsChecked = false;
  /** Undefined until mirror and log have been compared. */
  private position: number | undefined;
  private suspect: number | undefined;
  private verifiedAtMs = 0;
  /** What the last watch saw. */
  private watched: { readonly mirrored: number | undefined } | undefined;
  private failuresInARow = 0;
  private refused = { position: 0, times: 0 };

  constructor(private readonly options: RelayOptions) {
    const names = options.names ?? defaultMirrorNames;
    this.clock = options.clock ?? systemClock;
    this.logger = (options.logger ?? silentLogger).child({ component: 'log-relay', stream: names.stream });
    this.settings = {
      refillDepth: options.refillDepth ?? DEFAULTS.refillDepth,
      pageSize: options.pageSize ?? DEFAULTS.pageSize,
      pollMs: options.pollMs ?? DEFAULTS.pollMs,
      verifyMs: options.verifyMs ?? DEFAULTS.verifyMs,
    };
    this.connection = new ConnectionWatch(options.connection, () => this.lookAgain());
    this.mirror = new JetStreamMirror(options.connection, names, options.limits ?? {}, this.connection);
    this.aligner = new MirrorAligner(options.source, this.mirror, this.settings.refillDepth, this.stats, this.logger);
    this.seniority = new Seniority(names.stream, (options.ids ?? systemIds).uuid(), options.leases, this.clock);
    this.wakeup = new Wakeup(this.clock);
  }

  start(): void {
    this.subscription ??= this.options.connection.subscribe(this.options.names?.poke ?? defaultMirrorNames.poke, {
      callback: () => {
        if (this.stats.leading) this.wakeup.notify();
      },
    });
    this.running ??= this.run();
  }

  /** Ends after the page under way; another relay may then lead at once. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wakeup.notify();
    await this.running;
    this.connection.close();
    if (!this.options.connection.isClosed()) this.subscription?.unsubscribe();
    await this.seniority.resign().catch(() => undefined);
    this.stats.leading = false;
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const pauseMs = await this.attempt(() => this.step());
      if (pauseMs > 0) await this.wakeup.wait(pauseMs);
    }
  }

  /** Runs one step and answers how long to wait before the next; a fault means a longer and longer pause. */
  private async attempt(step: () => Promise<number>): Promise<number> {
    try {
      const pauseMs = await step();
      this.failuresInARow = 0;
      this.stats.failing = this.refused.times > REFUSALS_OF_A_RIVAL;
      return pauseMs;
    } catch (error) {
      this.position = undefined;
      this.failuresInARow += 1;
      this.stats.faults += 1;
      this.stats.failing = true;
      this.stats.lastFault = error instanceof Error ? error.message : String(error);
      this.logger.warn(
        { err: error, failuresInARow: this.failuresInARow },
        'the relay could not go on and tries again',
      );
      return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(this.failuresInARow, 10));
    }
  }

  private async step(): Promise<number> {
    this.stats.leading = await this.seniority.isLeading();
    if (!this.stats.leading) return this.watch();
    if (this.position === undefined || !this.isVerifiedWithin(OVERDUE * this.settings.verifyMs)) await this.verify();
    if (await this.publishPage()) return 0;
    // What is there to publish goes first.
    if (!this.isVerifiedWithin(this.settings.verifyMs)) await this.verify();
    return this.settings.pollMs;
  }

  private isVerifiedWithin(ms: number): boolean {
    return this.clock.monotonicMs() - this.verifiedAtMs <= ms;
  }

  /** While another relay leads: helps out when the mirror stands still although the log is ahead of it. */
  private async watch(): Promise<number> {
    const { mirrored, head } = await this.aligner.peek();
    const stuck = this.watched !== undefined && mirrored === this.watched.mirrored && mirrored !== head;
    this.watched = { mirrored };
    this.forgetRefusals(mirrored);
    this.position = undefined;
    if (stuck) {
      await this.verify();
      await this.publishPage();
    }
    return this.seniority.watchMs;
  }

  private async verify(): Promise<void> {
    this.position = await this.aligner.align(this.suspect);
    if (!this.settingsChecked) {
      await this.mirror.ensure();
      this.settingsChecked = true;
    }
    this.suspect = undefined;
    this.stats.mirrored = this.position;
    this.forgetRefusals(this.position);
    this.verifiedAtMs = this.clock.monotonicMs();
  }

  /** A position that is in the mirror now was refused because a rival was quicker. */
  private forgetRefusals(mirrored = 0): void {
    if (mirrored >= this.refused.position) this.refused = { position: 0, times: 0 };
  }

  /** After a reconnection the broker may be another one, or have lost its end. */
  private lookAgain(): void {
    this.position = undefined;
    this.wakeup.notify();
  }

  /** True when there may be more to publish. */
  private async publishPage(): Promise<boolean> {
    const after = this.position;
    if (after === undefined) return true;
    const events = await this.options.source.readEnvelopes(after, this.settings.pageSize);
    const last = events.at(-1);
    if (!last) return false;
    checkDense(events, after);
    this.stats.head = Math.max(this.stats.head, last.position);
    const result = await this.mirror.publish(events);
    if (result.outcome === 'published') {
      this.position = this.stats.mirrored = last.position;
      this.stats.published += events.length;
      this.stats.duplicates += result.duplicates;
      // What was added after a part of a page was read pokes the relay itself.
      return events.length >= this.settings.pageSize;
    }
    this.stats.refusals += 1;
    this.suspect = result.position;
    this.position = undefined;
    this.logger.debug({ ...result }, 'the mirror refused a position; looking again');
    const { position, reason } = result;
    this.refused = { position, times: position === this.refused.position ? this.refused.times + 1 : 1 };
    if (this.refused.times > REFUSALS_OF_A_RIVAL) throw new MirrorRefusedError(position, reason);
    return true;
  }
}

function checkDense(events: readonly Envelope[], after: number): void {
  for (const [index, { position }] of events.entries()) {
    const expected = after + index + 1;
    if (position !== expected) throw new LogGapError(expected, position);
  }
}
