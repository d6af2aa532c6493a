import type { EventLog, Leases } from '@davit/event-log';
import { type Clock, type Logger, type Random, type Tracing, noTracing } from '@davit/ports';
import type { Document, DocumentRef, ProjectionRunner, RunnerStatus } from '@davit/projection';
import type { Controller } from './controller.js';
import { LeaseKeeper, type LeaseStats } from './lease-keeper.js';
import type { PassResult, QueueStats } from './queue/stats.js';
import { Resync } from './resync.js';
import { ControllerWorker } from './worker.js';

export interface ControlLoopOptions {
  /** Name of the service; becomes `source` of its events and the first part of its lease names. */
  readonly service: string;
  /** Names this instance as holder of leases; differs between instances and between starts. */
  readonly instanceId: string;
  readonly log: EventLog;
  readonly leases: Leases;
  /** The service's read model; the loop starts and stops it. */
  readonly projection: ProjectionRunner;
  readonly controllers: readonly Controller[];
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Default 4 000. */
  readonly leaseTtlMs?: number;
  /** Pause between walks over all documents; default 30 000, spread by ±20 %. */
  readonly resyncMs?: number;
  /** Asked once the read model holds the whole log, before anything is decided; nothing ever is where it rejects. */
  readonly admit?: () => Promise<void>;
  readonly tracing?: Tracing;
  /** Told of each pass that ended, for duration metrics. */
  readonly onPass?: (controller: string, result: PassResult, durationMs: number) => void;
}

export interface ControlLoopStatus {
  /** Workers run: the read model has caught up with the log once. */
  readonly working: boolean;
  readonly projection: RunnerStatus;
  readonly controllers: Readonly<Record<string, QueueStats>>;
  /** Leases of keys, by controller. */
  readonly leases: Readonly<Record<string, LeaseStats>>;
}

export interface ControlLoop {
  /** Resolves when workers run, or when the loop was stopped before that; rejects as `admit` does. */
  start(): Promise<void>;
  /** Waits for the passes under way, then lets the leases go. */
  stop(): Promise<void>;
  status(): ControlLoopStatus;
}

/**
 * Runs the controllers of a service over its projection: changed documents wake keys, workers begin once the read model
 * has caught up, and every key is looked at again now and then whether or not anything woke it.
 */
export function createControlLoop(options: ControlLoopOptions): ControlLoop {
  const { service, log, leases, projection, clock, random, logger, controllers } = options;
  const leaseTtlMs = options.leaseTtlMs ?? 4_000;
  const keeper = new LeaseKeeper({ leases, clock, holder: options.instanceId, ttlMs: leaseTtlMs });
  const parts = { service, log, model: projection.model, clock, random, logger, keeper, projection, leaseTtlMs };
  const workers = controllers.map((controller) => ({
    controller,
    worker: new ControllerWorker(controller, {
      ...parts,
      onPass: options.onPass,
      tracing: options.tracing ?? noTracing,
    }),
  }));

  const wake = (ref: DocumentRef, document: Document | undefined, traceparent?: string): void => {
    for (const { controller, worker } of workers) {
      try {
        for (const key of controller.keysOf(ref, document)) worker.wake(key, traceparent);
      } catch (error) {
        logger.error(
          { err: error, controller: controller.name, document: ref },
          'no keys could be told for a document',
        );
      }
    }
  };
  const wakeStanding = (): void => {
    for (const { controller, worker } of workers)
      for (const key of controller.standingKeys ?? []) worker.queue.add(key);
  };
  const resync = new Resync({
    model: projection.model,
    clock,
    random,
    logger,
    everyMs: options.resyncMs ?? 30_000,
    visit: ({ kind, key, document }) => wake({ kind, key }, document),
    onWalked: () => {
      wakeStanding();
      keeper.sweep();
      for (const { worker } of workers) worker.sweep();
    },
  });

  let working = false;
  let caughtUp = false;
  let stopped = false;
  let settleStart: () => void = () => undefined;
  let refuseStart: (reason: unknown) => void = () => undefined;
  const started = new Promise<void>((resolve, reject) => {
    settleStart = resolve;
    refuseStart = reject;
  });
  const work = (): void => {
    if (stopped) return;
    working = true;
    for (const { worker } of workers) worker.queue.start();
    settleStart();
  };
  let endObservation: () => void = () => undefined;
  return {
    start() {
      endObservation = projection.observe({
        onChanged: (changes) => {
          for (const { kind, key, document, traceparent } of changes) wake({ kind, key }, document, traceparent);
        },
        onLive: () => {
          resync.now();
          if (caughtUp) return;
          caughtUp = true;
          if (options.admit) options.admit().then(work, refuseStart);
          else work();
        },
      });
      projection.start();
      return started;
    },
    async stop() {
      stopped = true;
      endObservation();
      settleStart();
      await Promise.all([resync.stop(), ...workers.map(({ worker }) => worker.stop())]);
      working = false;
      await projection.stop();
      await keeper.releaseAll().catch((error: unknown) => {
        logger.warn({ err: error }, 'leases could not be released; they expire by themselves');
      });
    },
    status: () => ({
      working,
      projection: projection.status(),
      controllers: Object.fromEntries(workers.map(({ controller, worker }) => [controller.name, worker.queue.stats()])),
      leases: Object.fromEntries(workers.map(({ controller, worker }) => [controller.name, worker.leases()])),
    }),
  };
}
