import type { RecordedEvent } from '@davit/contracts';
import type { FeedSubscription } from '@davit/event-log';
import type { Cancel } from '@davit/ports';
import { continuation } from './continuation.js';
import { CannotApplyError } from './fold.js';
import type { DocumentChange } from './projection.js';
import { PAGE_SIZE, applyEvents, foldUpTo } from './rebuild.js';
import { rememberingStore } from './remembering-store.js';
import { reportRival } from './rival.js';
import type { ChangedDocument, ProjectionRunnerOptions } from './runner.js';
import { type RunnerStatus, RunnerStoppedError } from './status.js';
import { PositionWaiters } from './waiters.js';

const POLL_MS = 1_000;
/** While the feed says nothing and the log grows, the log is asked more often. */
const SILENT_POLL_MS = 250;
/** A feed that stayed silent this many polls while the log grew is subscribed to anew. */
const SILENT_POLLS_BEFORE_RENEWAL = 20;
/** Refused commits in a row without the checkpoint moving: somebody changed the tables by hand. */
const STANDSTILLS_BEFORE_STOP = 20;
const MAILBOX_LIMIT = 5 * PAGE_SIZE;
const RETRY_MS = { first: 250, maxFault: 2_000, maxCannotApply: 30_000 } as const;

interface Sink {
  onChanged(changes: readonly ChangedDocument[], position: number): void;
  onLive(position: number): void;
}

/** The moving part of a runner. Everything that reads or moves the checkpoint happens in one chain, one task after another. */
export class ProjectionPump {
  private state: 'idle' | 'catching-up' | 'live' | 'stopped' = 'idle';
  private position = 0;
  private head = 0;
  private stopReason: { reason: 'cannot-apply' | 'fault'; at: number; error: string } | undefined;
  private failures = 0;
  private silentPolls = 0;
  private standstills = 0;
  private polledPosition = -1;
  private mailbox: RecordedEvent[] = [];
  private tail: Promise<void> = Promise.resolve();
  private drainage: Promise<void> | undefined;
  private subscription: FeedSubscription | undefined;
  private cancelTimer: Cancel = () => undefined;
  private readonly ended = new AbortController();
  private readonly waiters = new PositionWaiters();

  private readonly options: ProjectionRunnerOptions;

  constructor(
    options: ProjectionRunnerOptions,
    private readonly sink: Sink,
  ) {
    this.options = { ...options, store: rememberingStore(options.store) };
  }

  start(): void {
    if (this.state !== 'idle' || this.ended.signal.aborted) return;
    this.state = 'catching-up';
    void this.inTurn(() => this.recover());
  }

  async stop(): Promise<void> {
    this.ended.abort();
    this.cancelTimer();
    const subscription = this.subscription;
    this.subscription = undefined;
    await subscription?.stop();
    await this.tail;
    this.waiters.rejectAll((position) => new RunnerStoppedError(this.options.definition.name, position));
  }

  status(): RunnerStatus {
    const { position, head } = this;
    const lag = Math.max(0, head - position);
    if (this.stopReason) return { state: 'stopped', position, head, lag, ...this.stopReason };
    return { state: this.state === 'live' ? 'live' : 'catching-up', position, head, lag };
  }

  untilCaughtUp(position: number): Promise<void> {
    if (this.position >= position) return Promise.resolve();
    if (this.ended.signal.aborted) {
      return Promise.reject(new RunnerStoppedError(this.options.definition.name, position));
    }
    return this.waiters.wait(position);
  }

  private inTurn(task: () => Promise<void>): Promise<void> {
    this.tail = this.tail.then(async () => {
      if (this.ended.signal.aborted) return;
      try {
        await task();
      } catch (error) {
        this.fail(error);
      }
    });
    return this.tail;
  }

  /** From any state to live: makes what is missing, reads the checkpoint, folds in the rest of the log. */
  private async recover(): Promise<void> {
    const { store, log, logger, definition } = this.options;
    this.state = 'catching-up';
    await store.prepare();
    this.position = await store.position();
    this.head = await log.head();
    if (this.head > this.position) {
      logger.info(
        { projection: definition.name, version: definition.version, position: this.position, head: this.head },
        'projection catching up',
      );
    }
    await this.catchUp();
    this.subscribe();
  }

  private async catchUp(): Promise<void> {
    const { definition, log, store } = this.options;
    const options = { onApplied: this.advance, signal: this.ended.signal };
    for (let rival = true; rival && !this.ended.signal.aborted;) {
      ({ rival } = await foldUpTo(definition, log, store, this.position, Infinity, options));
      if (rival) await this.followRival();
    }
    this.becomeLive();
  }

  private isLive(): boolean {
    return this.state === 'live';
  }

  private becomeLive(): void {
    if (this.state === 'live' || this.ended.signal.aborted) return;
    this.state = 'live';
    this.stopReason = undefined;
    this.failures = 0;
    this.waiters.reached(this.position);
    this.options.logger.info(
      { projection: this.options.definition.name, position: this.position },
      'projection is live',
    );
    this.sink.onLive(this.position);
    this.schedulePoll();
  }

  private readonly advance = (page: { readonly to: number; readonly changes: readonly DocumentChange[] }): void => {
    this.position = page.to;
    this.head = Math.max(this.head, page.to);
    if (page.changes.length > 0) this.sink.onChanged(page.changes, page.to);
    this.waiters.reached(page.to);
  };

  /** Another instance moved the checkpoint: go on from there, and report its changes as if they were ours. */
  private async followRival(): Promise<'ahead' | 'rewound'> {
    const checkpoint = await this.options.store.position();
    if (checkpoint < this.position) {
      this.state = 'catching-up'; // the tables were made anew
      this.position = checkpoint;
      return 'rewound';
    }
    this.standstills = checkpoint === this.position ? this.standstills + 1 : 0;
    if (this.standstills > STANDSTILLS_BEFORE_STOP) {
      this.standstills = 0;
      throw new Error(`the checkpoint stays at ${checkpoint} although documents are ahead of it`);
    }
    if (this.state === 'live') await reportRival(this.options, this.position, checkpoint, this.advance);
    else this.advance({ to: checkpoint, changes: [] });
    return 'ahead';
  }

  private subscribe(): void {
    if (this.ended.signal.aborted) return;
    this.subscription ??= this.options.feed.subscribe(this.position, (events) => this.receive(events));
  }

  /** Takes events in at once while there is room, so that events which arrive during a commit share the next one. */
  private receive(events: readonly RecordedEvent[]): Promise<void> {
    if (this.state === 'stopped' || this.ended.signal.aborted) return Promise.resolve();
    const drained = (this.drainage ??= this.inTurn(() => this.drain()));
    if (this.mailbox.length >= MAILBOX_LIMIT) return drained; // left to the log to repeat
    this.mailbox.push(...events);
    return this.mailbox.length >= PAGE_SIZE ? drained : Promise.resolve();
  }

  private async drain(): Promise<void> {
    this.drainage = undefined;
    const events = this.mailbox;
    this.mailbox = [];
    if (this.state !== 'live') return;
    const { definition, store } = this.options;
    for (;;) {
      const { run, hole } = continuation(events, this.position);
      if (run.length > 0) {
        const outcome = await applyEvents(definition, store, this.position, run, this.advance);
        if (outcome.outcome === 'rival') {
          const followed = await this.followRival();
          if (followed === 'ahead') continue;
          await this.catchUp();
          return;
        }
      }
      if (hole) await this.catchUp();
      return;
    }
  }

  private schedulePoll(): void {
    this.cancelTimer();
    this.polledPosition = this.position;
    const delayMs = this.silentPolls > 0 ? SILENT_POLL_MS : POLL_MS;
    this.cancelTimer = this.options.clock.schedule(delayMs, () => void this.inTurn(() => this.poll()));
  }

  /** The safety net under the feed: without it the log is still followed, only later. */
  private async poll(): Promise<void> {
    if (!this.isLive()) return;
    if ((await this.options.store.position()) < this.position) await this.followRival(); // lost while nothing happens
    this.head = Math.max(this.position, await this.options.log.head());
    const silent = this.head > this.position && this.position === this.polledPosition;
    if (silent) this.silentPolls += 1;
    else if (this.position > this.polledPosition) this.silentPolls = 0;
    if (silent || !this.isLive() || this.head - this.position > PAGE_SIZE) await this.catchUp();
    if (this.silentPolls >= SILENT_POLLS_BEFORE_RENEWAL) this.renewSubscription();
    this.schedulePoll();
  }

  private renewSubscription(): void {
    this.options.logger.warn(
      { projection: this.options.definition.name, position: this.position },
      'the feed is silent while the log grows; subscribing anew',
    );
    this.silentPolls = 1;
    this.subscription?.stop().catch(() => undefined); // a feed that cannot even stop has nothing left to tell
    this.subscription = undefined;
    this.subscribe();
  }

  private fail(error: unknown): void {
    const { definition, logger, clock } = this.options;
    if (this.ended.signal.aborted) return;
    const cannotApply = error instanceof CannotApplyError;
    const at = cannotApply ? error.position : this.position + 1;
    this.state = 'stopped';
    this.stopReason = { reason: cannotApply ? 'cannot-apply' : 'fault', at, error: String(error) };
    this.mailbox = [];
    const capMs = cannotApply ? RETRY_MS.maxCannotApply : RETRY_MS.maxFault;
    const retryMs = Math.min(capMs, RETRY_MS.first * 2 ** this.failures++);
    logger.error(
      { err: error, projection: definition.name, position: this.position, at, retryMs },
      'projection stopped',
    );
    this.cancelTimer();
    this.cancelTimer = clock.schedule(retryMs, () => void this.inTurn(() => this.recover()));
  }
}
