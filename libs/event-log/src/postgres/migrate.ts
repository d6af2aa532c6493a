import { type DataSource, MigrationExecutor } from 'typeorm';

/** Arbitrary but fixed: names the advisory lock under which schemas change. */
const MIGRATION_LOCK = 7_264_001;

/**
 * Brings the database up to this release. Processes that start together wait for one another here. One connection does it
 * all: a pool has as few as one, and whoever held the lock while waiting for a second would wait for ever.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(dataSource, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await runner.release();
  }
}
