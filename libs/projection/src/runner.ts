import type { EventLog, LogFeed } from '@davit/event-log';
import type { Clock, Logger } from '@davit/ports';
import { ProjectionPump } from './pump.js';
import type { Document, DocumentRef, ProjectionDefinition, ProjectionStore, ReadModel } from './projection.js';
import type { RunnerStatus } from './status.js';

export interface ChangedDocument extends DocumentRef {
  /** Undefined when the document was removed. */
  readonly document: Document | undefined;
  /** Of the latest event that touched it, where that has one. */
  readonly traceparent?: string;
}

/** Told, synchronously and in log order, what was folded in. It must not throw and cannot hold the projection up. */
export interface ProjectionObserver {
  /** Documents changed, by this instance or by a rival one; the read model holds everything up to `position`. */
  onChanged?(changes: readonly ChangedDocument[], position: number): void;
  /**
   * The projection reached the end of the log, at start or after a stop. Changes that rivals made in between were not
   * told one by one: whoever keeps something per document looks at all of them now.
   */
  onLive?(position: number): void;
}

export interface ProjectionRunnerOptions {
  readonly definition: ProjectionDefinition;
  readonly store: ProjectionStore;
  readonly log: EventLog;
  readonly feed: LogFeed;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onChanged?: ProjectionObserver['onChanged'];
}

/** Keeps one projection up to date. Any number of instances may run over the same store. */
export interface ProjectionRunner {
  readonly model: ReadModel;
  /** Begins to catch up, then follows the log until stopped. Calling it again does nothing. */
  start(): void;
  /** Ends after the commit under way; waiters are rejected with RunnerStoppedError. */
  stop(): Promise<void>;
  status(): RunnerStatus;
  /** Resolves once everything up to `position` is folded in. */
  untilCaughtUp(position: number): Promise<void>;
  /** Returns the function that ends the observation. */
  observe(observer: ProjectionObserver): () => void;
}

/**
 * Creates a runner: it catches up from the log by pages, then follows the feed. Known positions are skipped, holes are
 * read from the log, and when the feed is silent the log itself is asked, so that the feed only ever makes it faster.
 */
export function createProjectionRunner(options: ProjectionRunnerOptions): ProjectionRunner {
  const observers = new Set<ProjectionObserver>();
  if (options.onChanged) observers.add({ onChanged: options.onChanged });
  const tell = (call: (observer: ProjectionObserver) => void): void => {
    for (const observer of observers) {
      try {
        call(observer);
      } catch (error) {
        options.logger.error({ err: error, projection: options.definition.name }, 'an observer of a projection threw');
      }
    }
  };
  const pump = new ProjectionPump(options, {
    onChanged: (changes, position) => tell((observer) => observer.onChanged?.(changes, position)),
    onLive: (position) => tell((observer) => observer.onLive?.(position)),
  });
  return {
    model: options.store,
    start: () => pump.start(),
    stop: () => pump.stop(),
    status: () => pump.status(),
    untilCaughtUp: (position) => pump.untilCaughtUp(position),
    observe(observer) {
      observers.add(observer);
      return () => void observers.delete(observer);
    },
  };
}
