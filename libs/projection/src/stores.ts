import type { ProjectionDefinition, ProjectionStore } from './projection.js';

/** The part of a definition that names its tables. */
export type ProjectionVersion = Pick<ProjectionDefinition, 'name' | 'version'>;

/**
 * All stores of one service: one per projection version, shadows that an audit builds beside them, and the pointer that
 * says which version readers use.
 */
export interface ProjectionStores {
  store(projection: ProjectionVersion): ProjectionStore;
  /** A store apart from the live one, for rebuilding beside it. */
  shadow(projection: ProjectionVersion, label: string): ProjectionStore;
  /** Labels of shadows that exist, left-overs of interrupted audits among them. */
  shadows(projection: ProjectionVersion): Promise<readonly string[]>;
  dropShadow(projection: ProjectionVersion, label: string): Promise<void>;
  /** Versions that have tables, ascending. */
  versions(name: string): Promise<readonly number[]>;
  drop(projection: ProjectionVersion): Promise<void>;
  /** Version that readers use; undefined before the first activation. */
  activeVersion(name: string): Promise<number | undefined>;
  activate(projection: ProjectionVersion): Promise<void>;
}
