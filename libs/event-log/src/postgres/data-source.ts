import { DataSource, type DataSourceOptions, type MigrationInterface } from 'typeorm';
import { boundedSocket } from './bounded-socket.js';
import { logMigrations } from './migrations/index.js';

export interface DatabaseConfig {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Connections of this process. Default 8. */
  readonly poolSize?: number;
  /**
   * How long a statement may go without an answer before its connection is given up. Default 15 000, which bounds how long a
   * service notices nothing of a database whose packets vanish.
   */
  readonly answerTimeoutMs?: number;
  /** Migrations beyond those of the log, for example of projections. */
  readonly migrations?: readonly (new () => MigrationInterface)[];
}

/** Longer than the slowest statement of a service takes on a busy machine; migrations have a connection of their own. */
const ANSWER_TIMEOUT_MS = 15_000;
/** A session that hangs inside a transaction holds up every append; the database ends it after this share of the time. */
const IDLE_IN_TRANSACTION_SHARE = 0.6;
/** Waiting for a lock ends while somebody still listens to the refusal, and after the database has ended what hung. */
const LOCK_SHARE = 0.8;
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 } as const;

/** Options for `TypeOrmModule.forRoot` and for `createDataSource`: the one owner of a process's database connections. */
export function dataSourceOptions(config: DatabaseConfig): DataSourceOptions {
  const answerTimeoutMs = config.answerTimeoutMs ?? ANSWER_TIMEOUT_MS;
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
    // Also bounds the wait for a free connection of the pool.
    connectTimeoutMS: answerTimeoutMs,
    extra: {
      ...KEEP_ALIVE,
      stream: () => boundedSocket(answerTimeoutMs),
      idle_in_transaction_session_timeout: answerTimeoutMs * IDLE_IN_TRANSACTION_SHARE,
      lock_timeout: answerTimeoutMs * LOCK_SHARE,
      // Nobody waits any longer for what takes longer.
      statement_timeout: answerTimeoutMs,
    },
  };
}

/** Not yet connected; call `initialize()`, then `migrate`. */
export const createDataSource = (config: DatabaseConfig): DataSource => new DataSource(dataSourceOptions(config));

/** One connection to the same database on which statements may take as long as they need. Not yet connected. */
export function unboundedDataSource({ options }: DataSource): DataSource {
  if (options.type !== 'postgres') throw new Error(`a data source of type ${options.type} is not one of PostgreSQL`);
  return new DataSource({ ...options, poolSize: 1, extra: KEEP_ALIVE });
}
