import type { DataSource } from 'typeorm';
import type { ProjectionStores, ProjectionVersion } from '../stores.js';
import { schemaName, shadowName, tableName } from './names.js';
import { PostgresProjectionStore } from './postgres-store.js';
import { createPointerTable, dropTable, tableExists, tableNames } from './schema.js';

export interface PostgresProjectionStoresOptions {
  readonly database: DataSource;
  /** Tables live in the schema `projection_<service>`. */
  readonly service: string;
}

/** Stores of one service in PostgreSQL. */
export function postgresProjectionStores(options: PostgresProjectionStoresOptions): ProjectionStores {
  const { database } = options;
  const schema = schemaName(options.service);
  const suffixes = async (prefix: string): Promise<string[]> =>
    (await tableNames(database, schema))
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  return {
    store: (projection) => new PostgresProjectionStore(database, schema, tableName(projection)),
    shadow: (projection, label) =>
      new PostgresProjectionStore(database, schema, shadowName(projection, label), { unlogged: true }),
    shadows: async (projection) =>
      (await suffixes(`${tableName(projection)}_shadow_`)).map((label) => label.replaceAll('_', '-')),
    dropShadow: (projection, label) => dropTable(database, schema, shadowName(projection, label)),
    async versions(name) {
      const found = await suffixes(tableName({ name, version: 0 }).slice(0, -1));
      return found
        .filter((version) => /^\d+$/.test(version))
        .map(Number)
        .sort((left, right) => left - right);
    },
    drop: (projection) => dropTable(database, schema, tableName(projection)),
    async activeVersion(name) {
      if (!(await tableExists(database, schema, 'active'))) return undefined;
      const rows = await database.query<{ version: number }[]>(
        `SELECT version FROM ${schema}.active WHERE projection = $1`,
        [name],
      );
      return rows[0]?.version;
    },
    async activate({ name, version }: ProjectionVersion) {
      await createPointerTable(database, schema);
      await database.query(
        `INSERT INTO ${schema}.active (projection, version) VALUES ($1, $2)
         ON CONFLICT (projection) DO UPDATE SET version = excluded.version`,
        [name, version],
      );
    },
  };
}
