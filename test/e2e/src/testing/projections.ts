import pg from 'pg';
import { waitFor } from '../wait-for.js';
import { type Rig, urlOf } from './rig.js';

/** What the system says of itself, front door and registry, once their tables hold the whole log. */
export async function answers({ system }: Rig): Promise<Readonly<Record<string, unknown>>> {
  const front = urlOf(system, 'spec-api');
  const { head } = (await ask(front, '/v1/events?limit=1')) as { head: number };
  const deployments = await waitFor(
    'the front door has read the whole log',
    async () => {
      const answer = (await ask(front, '/v1/deployments?all=true')) as { position: number };
      return answer.position === head ? answer : undefined;
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );
  return {
    deployments,
    replicas: await ask(front, '/v1/replicas?all=true'),
    routes: await ask(front, '/v1/routes'),
    registry: await ask(urlOf(system, 'router-registry'), '/v1/routes'),
  };
}

async function ask(base: string, path: string): Promise<unknown> {
  const response = await fetch(new URL(path, base));
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Drops every table that a service reads from; returns the names of the schemas they were in. */
export async function dropProjections({ system }: Rig): Promise<readonly string[]> {
  const database = new pg.Client({ connectionString: system.databaseUrl });
  await database.connect();
  try {
    const { rows } = await database.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'projection\\_%'`,
    );
    for (const { name } of rows) await database.query(`DROP SCHEMA ${name} CASCADE`);
    return rows.map(({ name }) => name);
  } finally {
    await database.end();
  }
}
