import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type NatsBroker, type TestDatabase, createDatabase, eventually, startNats } from '@davit/test-support';
import { manifest } from '../testing/manifest.js';
import { type Served, serve } from '../testing/served.js';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/how-to/use-the-http-api.md');
const [, program = ''] = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8')) ?? [];

let database: TestDatabase;
let broker: NatsBroker;
let served: Served;
beforeAll(async () => {
  [database, broker] = await Promise.all([createDatabase(), startNats()]);
  served = await serve({ DATABASE_URL: database.url, NATS_URL: broker.url });
}, 60_000);
afterAll(async () => {
  await served.service.stop();
  await broker.dispose();
  await database.drop();
}, 60_000);

const run = async (): Promise<string> => {
  const env = { PATH: process.env['PATH'], DAVIT_URL: served.service.url, NAME: 'told' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env });
  return stdout.trim();
};

test('the program of the page on the HTTP API changes what it read, as it stands', async () => {
  await served.ask('POST', '/v1/intents/deployment/apply', { body: manifest({}, { name: 'told' }) });
  const desired = async (): Promise<unknown> => {
    const { body } = await served.ask('GET', '/v1/deployments/default/told');
    return typeof body === 'object' && body !== null && 'desiredReplicas' in body ? body.desiredReplicas : undefined;
  };
  await eventually(async () => (await desired()) === 2);
  expect(await run()).toBe('202 accepted generation 2');
  await eventually(async () => (await desired()) === 3);
  expect(await run()).toBe('202 accepted generation 3');
});
