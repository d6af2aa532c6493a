import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDataSource } from '@davit/event-log';
import { silentLogger, systemClock, systemRandom } from '@davit/ports';
import { createDatabase } from '@davit/test-support';
import { ConfigError } from '../config/load.js';
import { openDatabase } from './database.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

async function refusalOf(change: (address: URL) => void): Promise<unknown> {
  const address = new URL(database.url);
  change(address);
  const dataSource = createDataSource({ url: address.href, applicationName: 'test' });
  const { signal } = new AbortController();
  try {
    await openDatabase(dataSource, { clock: systemClock, random: systemRandom, logger: silentLogger, signal });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

test.each<[string, (address: URL) => void, RegExp]>([
  ['database', (address) => (address.pathname = '/no_such_database'), /"no_such_database" does not exist/],
  ['user', (address) => (address.username = 'nobody_here'), /nobody_here/],
])('an address with a wrong %s is refused with the remedy, not tried again', async (_what, change, message) => {
  const refusal = await refusalOf(change);
  expect(refusal).toBeInstanceOf(ConfigError);
  expect(refusal).toMatchObject({ message: expect.stringMatching(message) });
  expect(refusal).toMatchObject({ message: expect.stringMatching(/^DATABASE_URL: .*Set user, password and name/) });
});

test('an address that is right opens the database', async () => {
  expect(await refusalOf(() => undefined)).toBeUndefined();
});
