import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { mustHoldPublishedEvents } from './database-events.js';

export interface TestDatabase {
  /** Connection string of a database that nobody else uses. */
  readonly url: string;
  /**
   * Removes the database, cutting connections that are still open.
   * @throws Error where its log holds an event that the published schemas do not allow
   */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /**
   * Name and content of a database to copy, such as one with all migrations applied. `prepare` runs once a server, the first
   * time the name is asked for, however many test files ask at once; copying takes some 30 ms.
   */
  readonly template?: { readonly name: string; prepare(url: string): Promise<void> };
  /** Why events that are not as published are written into its log on purpose; it is not looked at then. */
  readonly oddEvents?: string;
}

/** A fresh database on the server of the test run. Call it once a file or once a test, and `drop` it at the end. */
export async function createDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `t_${randomBytes(8).toString('hex')}`;
  const { template } = options;
  const source = template === undefined ? 'template1' : await ensureTemplate(template);
  // A copy needs its source at rest; the lock keeps concurrent copies of one source from meeting.
  await administer((client) =>
    withLock(client, source, () => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`)),
  );
  return {
    url: urlOf(name),
    drop: async () => {
      try {
        if (options.oddEvents === undefined) await mustHoldPublishedEvents(urlOf(name));
      } finally {
        await administer((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      }
    },
  };
}

async function ensureTemplate(template: NonNullable<TestDatabaseOptions['template']>): Promise<string> {
  const name = `template_${template.name.toLowerCase().replace(/[^a-z0-9_]/g, '_')}`;
  await administer((client) =>
    withLock(client, name, async () => {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount !== 0) return;
      const partial = `${name}_${randomBytes(4).toString('hex')}`;
      await client.query(`CREATE DATABASE ${partial} TEMPLATE template1`);
      await template.prepare(urlOf(partial));
      await client.query(`ALTER DATABASE ${partial} RENAME TO ${name}`);
    }),
  );
  return name;
}

async function withLock(client: pg.Client, key: string, work: () => Promise<unknown>): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [`davit-test:${key}`]);
  try {
    await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [`davit-test:${key}`]);
  }
}

async function administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  return url.href;
}

function serverUrl(): string {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('TEST_DATABASE_URL is not set: only the jest project "int" starts a PostgreSQL server');
  return url;
}
