import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { readLog } from './log-reader.js';
import { machinesByReplica, unannounced } from './testing/machines.js';
import { DONE_WELL, LIFE_TIMEOUT_MS, type Rig, SERVICES, seedOfToday, startRig, urlOf } from './testing/rig.js';
import { Saboteur } from './testing/saboteur.js';
import { waitFor } from './wait-for.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig('services-killed');
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

describe('the main job while services die', () => {
  test(
    'every service killed with -9 at any moment: the life goes on to its end and nothing is left behind',
    () =>
      rig.life(async () => {
        const saboteur = new Saboteur(rig, seedOfToday());
        const scenario = rig.scenario();
        await saboteur.start();
        await scenario.run();
        await saboteur.stop();
        await allReady();
        expect(new Set(saboteur.kills)).toEqual(new Set(SERVICES));
        expect(await rig.judge(scenario)).toMatchObject(DONE_WELL);
        const [machines, events] = await Promise.all([rig.world.machines(), readLog(rig.client)]);
        expect(unannounced(machines, events)).toEqual([]);
        // None where the launch died with its service and a new incarnation took the place.
        const counts = machinesByReplica('default/qwen3-8b', machines, events);
        expect(Object.entries(counts).filter(([, count]) => count > 1)).toEqual([]);
      }),
    LIFE_TIMEOUT_MS,
  );
});

describe('the tables that services read from', () => {
  test(
    'dropped from under every service, they come back from the log with the same answers, and the life goes on',
    () =>
      rig.life(async () => {
        const scenario = rig.scenario('rebuilt');
        await scenario.deploy();
        // With the writers at rest the log stands still, so the answers can be compared word for word.
        await Promise.all(
          SERVICES.filter((service) => !READERS.includes(service)).map((service) => rig.system.stopService(service)),
        );
        const before = await answers();
        expect(before).toMatchObject({
          routes: { items: expect.arrayContaining([expect.objectContaining({ alias: 'default/rebuilt' })]) },
        });
        await Promise.all(READERS.map((service) => rig.system.stopService(service)));
        expect(await dropProjections()).toHaveLength(SERVICES.length);
        await Promise.all(READERS.map((service) => rig.system.restartService(service)));
        expect(await answers()).toEqual(before);
        await Promise.all(
          SERVICES.filter((service) => !READERS.includes(service)).map((service) => rig.system.restartService(service)),
        );
        await scenario.chat();
        await scenario.remove();
        const { leaked, lawsBroken, auditsFailed } = await rig.judge(scenario);
        expect({ leaked, lawsBroken, auditsFailed }).toEqual({ leaked: 0, lawsBroken: [], auditsFailed: [] });
      }),
    LIFE_TIMEOUT_MS,
  );
});

const READERS: readonly string[] = ['spec-api', 'router-registry'];

async function allReady(): Promise<void> {
  await Promise.all(
    SERVICES.map((service) =>
      waitFor(
        `${service} is ready`,
        async () => {
          const answer = await fetch(new URL('/readyz', urlOf(rig.system, service))).catch(() => undefined);
          return answer?.ok === true ? true : undefined;
        },
        { timeoutMs: 60_000, everyMs: 200 },
      ),
    ),
  );
}

/** What the system says of itself once its tables hold the whole log. */
async function answers(): Promise<Readonly<Record<string, unknown>>> {
  const front = urlOf(rig.system, 'spec-api');
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
    registry: await ask(urlOf(rig.system, 'router-registry'), '/v1/routes'),
  };
}

async function ask(base: string, path: string): Promise<unknown> {
  const response = await fetch(new URL(path, base));
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function dropProjections(): Promise<readonly string[]> {
  const database = new pg.Client({ connectionString: rig.system.databaseUrl });
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
