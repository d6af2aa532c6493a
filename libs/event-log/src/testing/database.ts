import { createDatabase } from '@davit/test-support';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../postgres/data-source.js';
import { migrate } from '../postgres/migrate.js';

export interface LogDatabase {
  readonly url: string;
  readonly dataSource: DataSource;
  /** Another process's connections to the same log. */
  connect(poolSize?: number): Promise<DataSource>;
  dispose(): Promise<void>;
}

/** A database of a test's own with the log's schema in it. */
export async function logDatabase(): Promise<LogDatabase> {
  const database = await createDatabase({ template: { name: 'event_log', prepare: prepareTemplate } });
  const opened: DataSource[] = [];
  const connect = async (poolSize = 8): Promise<DataSource> => {
    const dataSource = createDataSource({ url: database.url, applicationName: 'test', poolSize });
    opened.push(dataSource);
    return dataSource.initialize();
  };
  return {
    url: database.url,
    dataSource: await connect(),
    connect,
    dispose: async () => {
      await Promise.all(opened.map((dataSource) => dataSource.destroy()));
      await database.drop();
    },
  };
}

async function prepareTemplate(url: string): Promise<void> {
  const dataSource = await createDataSource({ url, applicationName: 'test' }).initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

/** Empties the log of a test. */
export async function emptyLog(dataSource: DataSource): Promise<void> {
  await dataSource.query('truncate log.events, log.lease, log.idempotency, log.inbox');
  await dataSource.query('update log.head set position = 0');
}
