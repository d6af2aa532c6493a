import { waitUntil } from './processes.mjs';
import { SetupError } from './say.mjs';

/**
 * Waits for the server and makes the named database on it when there is none.
 * @param {string} serverUrl of a maintenance database
 * @param {string} name lower case letters, digits and underscores
 * @returns {Promise<string>} connection string of the named database
 */
export async function ensureDatabase(serverUrl, name) {
  const { default: pg } = await import('pg');
  let lastError = '';
  const ok = await waitUntil(
    async () => {
      const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
        if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
        return true;
      } catch (error) {
        lastError = error instanceof Error ? error.message : String(error);
        return false;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    60_000,
    50,
  );
  if (!ok)
    throw new SetupError('database-unreachable', `PostgreSQL did not take a connection within 60 s: ${lastError}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
