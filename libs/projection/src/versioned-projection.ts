import { type AuditReport, auditProjection } from './audit.js';
import type { ReadModel } from './projection.js';
import { type ProjectionRunner, type ProjectionRunnerOptions, createProjectionRunner } from './runner.js';
import type { ProjectionStores } from './stores.js';
import { Switchover } from './switchover.js';

export interface VersionedProjectionOptions extends Omit<ProjectionRunnerOptions, 'store'> {
  readonly stores: ProjectionStores;
  /** The pointer goes to this version once at most so many events are missing. Default 100. */
  readonly flipBelowLag?: number;
  /** Tables of other versions go when nobody has moved them for this long after the flip. Default 10 minutes. */
  readonly retireAfterMs?: number;
}

/** A projection that takes over from older versions of itself without a gap for readers. */
export interface VersionedProjection extends ProjectionRunner {
  /** What readers should use now: this version once it has taken over, until then the one that still serves. */
  resolveActive(): Promise<ReadModel>;
  /** Rebuilds beside the live tables and compares. */
  audit(): Promise<AuditReport>;
}

/**
 * Runs one version of a projection, blue/green: it fills its own tables from the log while the version before it serves,
 * then the pointer moves, later the old tables go. Whoever becomes live last has the pointer, so a rollback is the same move.
 */
export function createVersionedProjection(options: VersionedProjectionOptions): VersionedProjection {
  const { definition, stores, log, clock } = options;
  const runner = createProjectionRunner({ ...options, store: stores.store(definition) });
  const switchover = new Switchover(options, runner);
  return {
    ...runner,
    start() {
      switchover.start();
      runner.start();
    },
    async stop() {
      await switchover.stop();
      await runner.stop();
    },
    async resolveActive() {
      const version = switchover.done ? definition.version : await stores.activeVersion(definition.name);
      if (version === undefined || version === definition.version) return runner.model;
      const known = await stores.versions(definition.name);
      return known.includes(version) ? stores.store({ name: definition.name, version }) : runner.model;
    },
    audit: () => auditProjection({ definition, stores, log, clock }),
  };
}
