import type { DataSource, EntityManager } from 'typeorm';

/** `CREATE … IF NOT EXISTS` still fails when two sessions create at once; whoever creates holds this lock. */
const CREATION_LOCK = `SELECT pg_advisory_xact_lock(hashtext('davit.projection.create'))`;

/** Creates schema, document table and checkpoint where missing. Any number of processes may do so at once. */
export async function createDocumentTable(
  database: DataSource,
  schema: string,
  name: string,
  unlogged: boolean,
): Promise<void> {
  if (await hasCheckpoint(database, schema, name)) return;
  await database.transaction(async (manager) => {
    await createSchema(manager, schema);
    await manager.query(
      `CREATE ${unlogged ? 'UNLOGGED ' : ''}TABLE IF NOT EXISTS ${schema}.${name} (
         kind text COLLATE "C" NOT NULL,
         key text COLLATE "C" NOT NULL,
         document jsonb NOT NULL,
         groups text[] NOT NULL,
         position bigint NOT NULL,
         PRIMARY KEY (kind, key)
       ) WITH (fillfactor = 80)`,
    );
    await manager.query(`CREATE INDEX IF NOT EXISTS ${name}_groups ON ${schema}.${name} USING gin (groups)`);
    const inserted: unknown[] = await manager.query(
      `INSERT INTO ${schema}.${name} VALUES ('', '', '{}', '{}', 0) ON CONFLICT DO NOTHING RETURNING 1`,
    );
    // A checkpoint that was lost alone says nothing about the documents beside it.
    if (inserted.length > 0) await manager.query(`DELETE FROM ${schema}.${name} WHERE kind <> ''`);
  });
}

/** Creates the table that says which version of each projection readers use. */
export async function createPointerTable(database: DataSource, schema: string): Promise<void> {
  await database.transaction(async (manager) => {
    await createSchema(manager, schema);
    await manager.query(
      `CREATE TABLE IF NOT EXISTS ${schema}.active (projection text PRIMARY KEY, version int NOT NULL)`,
    );
  });
}

async function createSchema(manager: EntityManager, schema: string): Promise<void> {
  await manager.query(CREATION_LOCK);
  // Asked of the table itself: the cache that IF NOT EXISTS looks into is not refreshed by waiting for the lock.
  const rows: unknown[] = await manager.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (rows.length === 0) await manager.query(`CREATE SCHEMA ${schema}`);
}

export async function dropTable(database: DataSource, schema: string, name: string): Promise<void> {
  await database.query(`DROP TABLE IF EXISTS ${schema}.${name}`);
}

/** Names of the tables of a schema, sorted. */
export async function tableNames(database: DataSource, schema: string): Promise<readonly string[]> {
  const rows = await database.query<{ tablename: string }[]>(
    'SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename',
    [schema],
  );
  return rows.map((row) => row.tablename);
}

export async function tableExists(database: DataSource, schema: string, name: string): Promise<boolean> {
  const rows = await database.query<{ found: boolean }[]>('SELECT to_regclass($1) IS NOT NULL AS found', [
    `${schema}.${name}`,
  ]);
  return rows[0]?.found === true;
}

async function hasCheckpoint(database: DataSource, schema: string, name: string): Promise<boolean> {
  if (!(await tableExists(database, schema, name))) return false;
  const rows = await database.query<unknown[]>(`SELECT 1 FROM ${schema}.${name} WHERE kind = '' AND key = ''`);
  return rows.length > 0;
}
