import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { logMigrations } from './migrations/index.js';

export interface DatabaseConfig {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections of this process. Default 8. */
  readonly poolSize?: number;
  /** Migrations beyond those of the log, for example of projections. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
}

/** A session that hangs inside a transaction holds up every append; the database ends it after this long. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;

/** Options for `TypeOrmModule.forRoot` and for `createDataSource`: the one owner of a process's database connections. */
export function dataSourceOptions(config: DatabaseConfig): DataSourceOptions {
  return {
    type: 'postgres',
    url: config.url,
    applicationName: config.applicationName,
    poolSize: config.poolSize ?? 8,
    migrations: [...logMigrations, ...(config.migrations ?? [])],
    migrationsTableName: 'davit_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    logging: false,
    // An idle connection that dies is replaced at next use; the use that fails is what gets reported.
    poolErrorHandler: () => undefined,
    extra: { keepAlive: true, idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS },
  };
}

/** Not yet connected; call `initialize()`, then `migrate`. */
export const createDataSource = (config: DatabaseConfig): DataSource => new DataSource(dataSourceOptions(config));
