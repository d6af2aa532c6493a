import { type DataSource, MigrationExecutor } from 'typeorm';
import { unboundedDataSource } from './data-source.js';

/** Arbitrary but fixed: names the advisory lock under which schemas change. */
const MIGRATION_LOCK = 7_264_001;

/**
 * Brings the database up to this release. Processes that start together wait for one another here, and a migration may take
 * its time, so it has a connection of its own, without the bounds of the others. One connection does it all: whoever held
 * the lock while waiting for a second might wait for ever.
 */
export async function migrate(dataSource: DataSource): Promise<void> {
  const own = await unboundedDataSource(dataSource).initialize();
  const runner = own.createQueryRunner();
  try {
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(own, runner);
    executor.transaction = 'each';
    await executor.executePendingMigrations();
  } finally {
    await runner.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await runner.release();
    await own.destroy();
  }
}
