import type { ProjectionVersion } from '../stores.js';

const NAME = /^[a-z][a-z0-9-]*$/;
/** 63 is where PostgreSQL cuts names silently; the index name adds a suffix. */
const NAME_LIMIT = 56;

/** A service, projection or shadow name that cannot become part of a table name. */
export class InvalidProjectionNameError extends Error {
  readonly code = 'invalid-projection-name';
  constructor(readonly given: string) {
    super(`"${given}" cannot name projection tables; use lower-case letters, digits and hyphens, at most 56 in all`);
    this.name = 'InvalidProjectionNameError';
  }
}

export const schemaName = (service: string): string => bounded(`projection_${part(service)}`);

export const tableName = ({ name, version }: ProjectionVersion): string => bounded(`${part(name)}_v${version}`);

export const shadowName = (projection: ProjectionVersion, label: string): string =>
  bounded(`${tableName(projection)}_shadow_${part(label)}`);

/** Hyphens become underscores, so names stay free of quotes; underscores in names are refused, so nothing collides. */
function part(name: string): string {
  if (!NAME.test(name)) throw new InvalidProjectionNameError(name);
  return name.replaceAll('-', '_');
}

function bounded(name: string): string {
  if (name.length > NAME_LIMIT) throw new InvalidProjectionNameError(name);
  return name;
}
