import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RecordedEvent } from '@davit/contracts';
import { PostgresEventLog, createDataSource, migrate, natsPoke, preparedStatements } from '@davit/event-log';
import { type Random, seededRandom } from '@davit/ports';
import { mustHoldPublishedEvents } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type NatsConnection, connect } from 'nats';
import { type System, startSystem } from '../../../scripts/lib/system.mjs';
import { LIFE_TIMEOUT_MS, seedOfToday } from './testing/rig.js';
import {
  type Consumer,
  overEnvoy,
  overEventStream,
  overFile,
  overHttpSd,
  overNats,
} from './testing/routes/consumers.js';
import { RouteHistory } from './testing/routes/history.js';
import { ServiceProcess } from './testing/routes/service-process.js';
import { ALIAS, Unrest } from './testing/routes/unrest.js';
import { waitFor } from './wait-for.js';

const KILLS = 6;
const FIRST_PORT = 8_700;
type Database = Awaited<ReturnType<ReturnType<typeof createDataSource>['initialize']>>;

let system: System;
let database: Database;
let connection: NatsConnection;
let log: PostgresEventLog;
let registry: ServiceProcess;
let frontDoor: ServiceProcess;
let file: string;

beforeAll(async () => {
  system = await startSystem({
    ...{ name: 'e2e-registry-killed', fresh: true, world: false, services: false, signals: false, durable: false },
    ...{ firstPort: FIRST_PORT, env: { DATABASE_URL: '', NATS_URL: '' }, tell: () => undefined },
  });
  database = await createDataSource({ url: system.databaseUrl, applicationName: 'davit-e2e' }).initialize();
  await migrate(database);
  connection = await connect({ servers: system.natsUrl });
  log = new PostgresEventLog(preparedStatements(database), { poke: natsPoke(connection) });
  file = path.join(system.dir, 'routes.json');
  // A life takes up what the one before it held once its leases have run out.
  const environment = { ...system.env, DAVIT_ROUTE_FILES: `http-sd:${file}`, DAVIT_LEASE_TTL: '1s' };
  registry = new ServiceProcess('router-registry', FIRST_PORT + 18, environment);
  frontDoor = new ServiceProcess('spec-api', FIRST_PORT + 19, { ...system.env });
  await Promise.all([registry.start(), frontDoor.start()]);
}, LIFE_TIMEOUT_MS);

afterAll(async () => {
  await Promise.all([registry.kill(), frontDoor.kill()]);
  await connection.close();
  await database.destroy();
  await mustHoldPublishedEvents(system.databaseUrl).finally(() => system.stop());
}, LIFE_TIMEOUT_MS);

describe('router-registry killed with -9 while replicas die, hang and come back', () => {
  test(
    'law-11: no consumer of any kind sees a dead or unproven incarnation, an older set, or an empty one',
    async () => {
      const seed = seedOfToday();
      const random = seededRandom(seed);
      const unrest = new Unrest(log, random);
      await unrest.begin();
      await waitFor('the first routes are written', () => Promise.resolve(existsSync(file) || undefined), PATIENCE);
      const stop = new AbortController();
      const consumers = [
        overNats(system.natsUrl, stop.signal),
        overEventStream(frontDoor.url, stop.signal),
        overHttpSd(registry.url, stop.signal),
        overEnvoy(registry.url, stop.signal),
        overFile(file, stop.signal),
      ];
      const births = [registry.bornMs];
      const others = Promise.all([steps(unrest, stop.signal), ...consumers.map(({ done }) => done)]);
      try {
        // A fault of one of them ends all.
        await Promise.race([others, killing(random, births, consumers)]);
      } finally {
        stop.abort();
      }
      await others;
      const events = await settled();

      expect(registry.lives).toBe(KILLS + KILLS / 2 + 1);
      const history = new RouteHistory(events, ALIAS);
      expect(history.snapshots).toBeGreaterThan(KILLS);
      expect(history.unprovenRegistrations()).toEqual([]);
      for (const { name, sights, nonsense } of consumers) {
        const of = (what: string): string => `${name}, seed ${seed}: ${what}`;
        expect({ [of('sights')]: sights.length > KILLS, nonsense }).toEqual({ [of('sights')]: true, nonsense: [] });
        expect({ [of('empty')]: sights.filter(({ replicas }) => replicas.length === 0) }).toEqual({
          [of('empty')]: [],
        });
        expect({ [of('went back')]: backwards(sights) }).toEqual({ [of('went back')]: [] });
        const strange = sights.filter(({ replicas }) => !history.wasPublished(replicas));
        expect({ [of('never published')]: strange }).toEqual({ [of('never published')]: [] });
      }
      for (const { name, sights } of consumers.filter(({ name: one }) => one === 'http_sd' || one === 'Envoy')) {
        const outlived = sights.filter(({ askedMs, replicas }) => {
          const bornMs = births.findLast((atMs) => atMs <= askedMs) ?? 0;
          return replicas.some((replica) => history.wasDeadSince(replica, bornMs, askedMs));
        });
        expect({ [name]: outlived }).toEqual({ [name]: [] });
      }
      // What they had at the end is what is true.
      await atLast(unrest);
    },
    LIFE_TIMEOUT_MS,
  );
});

const PATIENCE = { timeoutMs: 60_000, everyMs: 20 };

/** Notes when each life began. */
async function killing(random: Random, births: number[], consumers: readonly Consumer[]): Promise<void> {
  const killed = async (): Promise<void> => {
    await delay(random.next() * 300);
    await registry.kill();
  };
  for (let kill = 0; kill < KILLS; kill++) {
    await published(registry.bornMs);
    await seen(consumers, registry.bornMs);
    await killed();
    // Every other time it is killed once more while it comes back, wherever that may be.
    if (kill % 2 === 1) {
      registry.begin();
      births.push(registry.bornMs);
      await delay(random.next() * 2_000);
      await killed();
    }
    await registry.start();
    births.push(registry.bornMs);
  }
  await published(registry.bornMs);
}

async function steps(unrest: Unrest, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await unrest.step();
    await delay(50);
  }
}

/** Until the registry has decided on something since. */
async function published(sinceMs: number): Promise<void> {
  let position = await log.head();
  await waitFor(
    'the registry publishes a snapshot',
    async () => {
      const events = await log.read(position, 50_000);
      position = events.at(-1)?.position ?? position;
      const isNew = ({ type, time }: RecordedEvent): boolean =>
        type === 'davit.route.snapshot-published' && Date.parse(time) > sinceMs;
      return events.some(isNew) || undefined;
    },
    PATIENCE,
  );
}

/** Until every consumer had a set of routes in its hands since. */
async function seen(consumers: readonly Consumer[], sinceMs: number): Promise<void> {
  const hasSeen = ({ sights }: Consumer): boolean => (sights.at(-1)?.askedMs ?? 0) >= sinceMs;
  await waitFor('every consumer sees routes', () => Promise.resolve(consumers.every(hasSeen) || undefined), PATIENCE);
}

/** The whole log, once the registry has decided on everything in it. */
async function settled(): Promise<readonly RecordedEvent[]> {
  let events: readonly RecordedEvent[] = [];
  await waitFor(
    'nothing is left to decide',
    async () => {
      const head = events.at(-1)?.position ?? 0;
      await delay(500);
      events = [...events, ...(await log.read(head, 50_000))];
      return events.at(-1)?.position === head || undefined;
    },
    PATIENCE,
  );
  return events;
}

/** A new subscriber, and whoever asks or reads now, have exactly those that are well. */
async function atLast(unrest: Unrest): Promise<void> {
  const stop = new AbortController();
  const consumers: readonly Consumer[] = [
    overNats(system.natsUrl, stop.signal),
    overEventStream(frontDoor.url, stop.signal),
    overHttpSd(registry.url, stop.signal),
    overEnvoy(registry.url, stop.signal),
    overFile(file, stop.signal),
  ];
  try {
    await waitFor(
      `everybody has ${unrest.well.join(', ')}`,
      () => {
        const isSo = consumers.every(({ sights }) => String(sights.at(-1)?.replicas) === String(unrest.well));
        return Promise.resolve(isSo || undefined);
      },
      PATIENCE,
    );
  } finally {
    stop.abort();
  }
  await Promise.all(consumers.map(({ done }) => done));
}

function backwards(sights: readonly { readonly snapshot: number }[]): readonly unknown[] {
  return sights.filter(({ snapshot }, index) => snapshot < (sights[index - 1]?.snapshot ?? 0));
}
