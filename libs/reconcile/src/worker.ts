import { type Logger, type Random, type Tracing, jitter } from '@davit/ports';
import { type ProjectionRunner, ReadModelBehindError } from '@davit/projection';
import { type Controller, TerminalError } from './controller.js';
import { Causes } from './causes.js';
import { freshModel } from './fresh-model.js';
import { KeptLeases } from './kept-leases.js';
import { KeyGate } from './key-gate.js';
import type { LeaseStats } from './lease-keeper.js';
import { type PassParts, type PassRecord, passContext } from './pass-context.js';
import type { PassResult } from './queue/stats.js';
import { type PassOutcome, WorkQueue } from './queue/work-queue.js';

const DEFAULT_CONCURRENCY = 8;
/** While the read model is known to be behind, nothing is decided on it. */
const NOT_LIVE_RETRY_MS = 500;
/** A pass that work is looked after by may be late by so many lifetimes of its lease. */
const KEPT_LIFETIMES = 3;

export interface WorkerParts extends PassParts {
  readonly random: Random;
  readonly projection: ProjectionRunner;
  readonly leaseTtlMs: number;
  readonly tracing: Tracing;
  readonly onPass: ((controller: string, result: PassResult, durationMs: number) => void) | undefined;
}

/** One controller with its queue: a pass takes the key's lease, reconciles, and decides when to look again. */
export class ControllerWorker {
  readonly queue: WorkQueue;
  private readonly gate: KeyGate;
  private readonly kept: KeptLeases;
  private readonly logger: Logger;
  private readonly causes: Causes;

  constructor(
    private readonly controller: Controller,
    private readonly parts: WorkerParts,
  ) {
    const { clock, random, logger, projection, log } = parts;
    this.logger = logger.child({ controller: controller.name });
    this.causes = new Causes({ clock });
    this.gate = new KeyGate(projection, log, random);
    this.kept = new KeptLeases(clock, parts.leaseTtlMs * KEPT_LIFETIMES);
    this.queue = new WorkQueue({
      clock,
      random,
      concurrency: controller.concurrency ?? DEFAULT_CONCURRENCY,
      handle: (key) => this.timed(key),
      onError: (key, error, retryMs) => {
        this.logger.error(
          { err: error, key, retryMs },
          retryMs === undefined ? 'reconcile gave up' : 'reconcile failed',
        );
      },
    });
  }

  /** Asks for a pass because of an event, of that trace if it has one. */
  wake(key: string, traceparent?: string): void {
    if (traceparent !== undefined) this.causes.note(key, traceparent);
    this.queue.add(key);
  }

  /** Forgets keys that rest. Call it after the keeper has dropped what has run out. */
  sweep(): void {
    this.causes.sweep();
    this.gate.sweep((key) => this.parts.keeper.remembers(this.leaseName(key)));
  }

  /** Waits for the passes under way, and renews no lease any more. */
  async stop(): Promise<void> {
    await this.queue.stop();
    this.kept.endAll();
  }

  leases(): LeaseStats {
    return this.parts.keeper.stats(this.leaseName(''));
  }

  private leaseName(key: string): string {
    return `${this.parts.service}/${this.controller.name}/${key}`;
  }

  private async timed(key: string): Promise<PassOutcome> {
    const { clock, onPass } = this.parts;
    const startedMs = clock.monotonicMs();
    const ended = (result: PassResult): void => onPass?.(this.controller.name, result, clock.monotonicMs() - startedMs);
    try {
      const outcome = await this.pass(key);
      ended(outcome.result);
      return outcome;
    } catch (error) {
      ended(error instanceof TerminalError ? 'terminal' : 'error');
      throw error;
    }
  }

  private async pass(key: string): Promise<PassOutcome> {
    const { projection, model, keeper, random, leaseTtlMs } = this.parts;
    if (projection.status().state !== 'live') {
      return { result: 'deferred', requeueAfterMs: jitter(random, NOT_LIVE_RETRY_MS) };
    }
    const again = (): void => this.queue.add(key);
    if (!this.gate.isOpen(key, again)) return { result: 'deferred' };
    const leaseName = this.leaseName(key);
    const lease = await keeper.take(leaseName);
    if (!lease) {
      this.kept.end(key);
      return { result: 'lease-held', requeueAfterMs: jitter(random, leaseTtlMs * 1.2, 0.1) };
    }
    await this.gate.entered(key, lease.epoch);
    if (!this.gate.isOpen(key, again)) return { result: 'deferred' };
    const { position } = projection.status();
    const record: PassRecord = { wrote: 0, conflict: false, fenced: false };
    const logger = this.logger.child({ key, epoch: lease.epoch });
    const endKeeping = keeper.keep(leaseName, (error) => logger.warn({ err: error }, 'lease could not be renewed'));
    this.kept.end(key);
    let keptMs: number | undefined;
    try {
      const parts = { ...this.parts, logger, model: freshModel(model, position) };
      const causes = this.causes.take(key);
      const context = passContext(parts, { key, lease, basedOnPosition: position, traceparent: causes.at(-1) }, record);
      const result = await this.traced(key, causes, () => this.controller.reconcile(context));
      const { requeueAfterMs } = result;
      if (result.keepsLease === true) keptMs = requeueAfterMs;
      if (record.conflict) return { result: 'conflict', requeueAfterMs: await this.gate.collided(key) };
      this.gate.settled(key);
      return requeueAfterMs === undefined ? { result: 'done' } : { result: 'requeued', requeueAfterMs };
    } catch (error) {
      if (!(error instanceof ReadModelBehindError)) throw error;
      return { result: 'deferred', requeueAfterMs: jitter(random, NOT_LIVE_RETRY_MS) };
    } finally {
      if (keptMs === undefined || record.fenced) endKeeping();
      else this.kept.keep(key, endKeeping, keptMs);
      if (record.wrote > 0) this.gate.wrote(key, record.wrote);
      if (record.fenced) keeper.forget(leaseName);
    }
  }

  private async traced<Result>(key: string, causes: readonly string[], pass: () => Promise<Result>): Promise<Result> {
    const name = `reconcile ${this.controller.name}`;
    const attributes = { 'davit.controller': this.controller.name, 'davit.key': key };
    const unit = this.parts.tracing.open({ name, kind: 'internal', causes, always: false, attributes });
    let failed = true;
    try {
      const result = await unit.run(pass);
      failed = false;
      return result;
    } finally {
      unit.end({}, failed);
    }
  }
}
