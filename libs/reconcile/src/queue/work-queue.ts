import { type BackoffOptions, type Cancel, type Clock, type Random, backoffMs } from '@davit/ports';
import { TerminalError } from '../controller.js';
import { type PassResult, type QueueStats, noPasses } from './stats.js';

const DEFAULT_BACKOFF: BackoffOptions = { firstMs: 250, maxMs: 60_000 };

/** What a pass says about its key; without `requeueAfterMs` the key rests until it is added again. */
export interface PassOutcome {
  readonly result: Exclude<PassResult, 'error' | 'terminal'>;
  readonly requeueAfterMs?: number;
}

export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Passes that may run at once. */
  readonly concurrency: number;
  readonly backoff?: BackoffOptions;
  /** One pass. A rejection is retried with growing waits; a TerminalError is not. */
  handle(key: string): Promise<PassOutcome>;
  /** Told of each rejection; `retryMs` is undefined when there will be no retry. */
  onError?(key: string, error: unknown, retryMs: number | undefined): void;
}

/**
 * A queue of keys as in controller-runtime: a key waits at most once, never runs twice at once, and runs again after
 * the present pass when it was added meanwhile. First come, first served.
 */
export class WorkQueue {
  /** Keys waiting for a worker, with the time they began to wait, in order. */
  private readonly pending = new Map<string, number>();
  private readonly running = new Set<string>();
  private readonly addedWhileRunning = new Set<string>();
  /** Waits that a pass asked for; the next pass of the key replaces its own. */
  private readonly retries = new Map<string, Cancel>();
  /** Waits that callers asked for; each leads to a pass at or after its time. */
  private readonly alarms = new Map<string, { readonly dueMs: number; readonly cancel: Cancel }>();
  private readonly failures = new Map<string, number>();
  private readonly passes = noPasses();
  private state: 'waiting' | 'started' | 'stopped' = 'waiting';
  private onIdle: (() => void)[] = [];

  constructor(private readonly options: WorkQueueOptions) {}

  /** Asks for a pass as soon as a worker is free. */
  add(key: string): void {
    if (this.state === 'stopped') return;
    if (this.running.has(key)) this.addedWhileRunning.add(key);
    else if (!this.pending.has(key)) this.pending.set(key, this.options.clock.monotonicMs());
    this.dispatch();
  }

  /** Asks for a pass in `delayMs`. Of several such wishes for a key the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.state === 'stopped') return;
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const dueMs = this.options.clock.monotonicMs() + delayMs;
    const present = this.alarms.get(key);
    if (present && present.dueMs <= dueMs) return;
    present?.cancel();
    const cancel = this.options.clock.schedule(delayMs, () => {
      this.alarms.delete(key);
      this.add(key);
    });
    this.alarms.set(key, { dueMs, cancel });
  }

  /** Lets workers begin. Keys added before wait until then. */
  start(): void {
    if (this.state !== 'waiting') return;
    this.state = 'started';
    this.dispatch();
  }

  /** Starts no further pass and resolves when those under way have ended. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    for (const cancel of this.retries.values()) cancel();
    for (const { cancel } of this.alarms.values()) cancel();
    this.retries.clear();
    this.alarms.clear();
    this.pending.clear();
    this.addedWhileRunning.clear();
    if (this.running.size > 0) await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  stats(): QueueStats {
    const [oldest] = this.pending.values();
    return {
      passes: { ...this.passes },
      active: this.running.size,
      depth: this.pending.size,
      delayed: this.retries.size + this.alarms.size,
      oldestPendingMs: oldest === undefined ? 0 : this.options.clock.monotonicMs() - oldest,
    };
  }

  private dispatch(): void {
    while (this.state === 'started' && this.running.size < this.options.concurrency) {
      const [key] = this.pending.keys();
      if (key === undefined) return;
      this.pending.delete(key);
      this.running.add(key);
      this.cancelRetry(key);
      void this.run(key);
    }
  }

  private async run(key: string): Promise<void> {
    try {
      const { result, requeueAfterMs } = await this.options.handle(key);
      this.passes[result] += 1;
      this.failures.delete(key);
      if (requeueAfterMs !== undefined) this.retryAfter(key, requeueAfterMs);
    } catch (error) {
      this.failed(key, error);
    }
    this.running.delete(key);
    if (this.addedWhileRunning.delete(key)) this.add(key);
    this.dispatch();
    if (this.running.size > 0) return;
    for (const resolve of this.onIdle.splice(0)) resolve();
  }

  private failed(key: string, error: unknown): void {
    if (error instanceof TerminalError) {
      this.passes.terminal += 1;
      this.failures.delete(key);
      this.options.onError?.(key, error, undefined);
      return;
    }
    this.passes.error += 1;
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    const retryMs = backoffMs(this.options.backoff ?? DEFAULT_BACKOFF, failures, this.options.random);
    this.retryAfter(key, retryMs);
    this.options.onError?.(key, error, retryMs);
  }

  private retryAfter(key: string, delayMs: number): void {
    if (this.state === 'stopped') return;
    const cancel = this.options.clock.schedule(delayMs, () => {
      this.retries.delete(key);
      this.add(key);
    });
    this.retries.set(key, cancel);
  }

  private cancelRetry(key: string): void {
    this.retries.get(key)?.();
    this.retries.delete(key);
  }
}
