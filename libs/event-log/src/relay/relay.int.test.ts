import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createDatabase, eventually } from '@davit/test-support';
import type { Leases } from '../event-log.js';
import { createDataSource } from '../postgres/data-source.js';
import { migrate } from '../postgres/migrate.js';
import { PostgresEventLog } from '../postgres/postgres-event-log.js';
import { PostgresLeases } from '../postgres/postgres-leases.js';
import { appendTo } from '../testing/fixtures.js';
import { FailureLab } from './lab/lab.js';
import { defaultMirrorNames } from './names.js';
import { natsPoke } from './poke.js';
import { relayLag } from './stats.js';

jest.setTimeout(30_000);

let lab: FailureLab;
beforeEach(async () => {
  lab = await FailureLab.open();
});
afterEach(() => lab.close());

const fill = async (log: PostgresEventLog, count: number): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => appendTo(log, 'fleet/a')));
};
const mirrorReaches = (position: number) =>
  eventually(async () => (await lab.mirrored().catch(() => -1)) === position, { timeoutMs: 15_000 });

/** Some other database's log with `count` events, as after a restore from a backup. */
async function otherHistory(count: number): Promise<{ log: PostgresEventLog; dispose(): Promise<void> }> {
  const database = await createDatabase();
  const dataSource = await createDataSource({ url: database.url, applicationName: 'test' }).initialize();
  await migrate(dataSource);
  const log = new PostgresEventLog(dataSource);
  await fill(log, count);
  return {
    log,
    dispose: async () => {
      await dataSource.destroy();
      await database.drop();
    },
  };
}

test('a poke brings an event to the mirror without waiting for the poll', async () => {
  const relay = await lab.startRelay({ pollMs: 60_000, verifyMs: 60_000 });
  await mirrorReaches(0);
  const log = new PostgresEventLog(lab.database.dataSource, { poke: natsPoke(await lab.connect()) });
  await appendTo(log, 'fleet/a', 0);
  await mirrorReaches(1);
  expect(relay.stats).toMatchObject({ leading: true, mirrored: 1, published: 1, created: 1, faults: 0 });
  expect(relayLag(relay.stats)).toBe(0);
});

test('a broker that cannot store is told about, and asked in longer and longer intervals until it can', async () => {
  const relay = await lab.startRelay();
  await mirrorReaches(0);
  const { streams } = await (await lab.connect()).jetstreamManager();
  await streams.update(defaultMirrorNames.stream, { max_msg_size: 10 });
  await fill(lab.log, 2);
  await eventually(() => relay.stats.faults >= 3, { timeoutMs: 15_000 });
  expect(relay.stats).toMatchObject({
    failing: true,
    lastFault: expect.stringMatching(/not store position 1: .*disk/),
  });
  expect(relay.stats.refusals).toBeLessThan(10);
  await streams.update(defaultMirrorNames.stream, { max_msg_size: -1 });
  await mirrorReaches(2);
  await eventually(() => !relay.stats.failing);
});

test('without any poke the poll finds the event', async () => {
  await lab.startRelay();
  await mirrorReaches(0);
  await fill(lab.log, 3);
  await mirrorReaches(3);
});

test('a message carries the envelope as structured CloudEvent, with the event id as message id', async () => {
  await lab.startRelay();
  await fill(lab.log, 1);
  await mirrorReaches(1);
  const manager = await (await lab.control()).jetstreamManager();
  const message = await manager.streams.getMessage(defaultMirrorNames.stream, { seq: 1 });
  const [event] = await lab.log.read(0, 1);
  expect(message.json()).toEqual(event);
  expect(message.subject).toBe('davit.log.fleet.alarm-raised');
  expect(message.header.get('Nats-Msg-Id')).toBe(event?.id);
  expect(message.header.get('Content-Type')).toBe('application/cloudevents+json');
});

test('a mirror that is ahead of the log is rebuilt from it', async () => {
  await fill(lab.log, 50);
  const before = await lab.startRelay();
  await mirrorReaches(50);
  await before.stop();

  const restored = await otherHistory(20);
  const relay = await lab.startRelay({ source: restored.log });
  await mirrorReaches(20);
  expect(relay.stats.rebuilt).toBe(1);
  await relay.stop();
  await restored.dispose();
});

test('a mirror of another database is rebuilt even when it is behind', async () => {
  const other = await otherHistory(10);
  const foreign = await lab.startRelay({ source: other.log });
  await mirrorReaches(10);
  await foreign.stop();
  await other.dispose();

  await fill(lab.log, 30);
  const relay = await lab.startRelay();
  await mirrorReaches(30);
  expect(relay.stats.rebuilt).toBe(1);
  expect((await lab.audit()).mismatches).toEqual([]);
});

test('a message that no relay wrote is found and the mirror rebuilt, also when it came amid publishing', async () => {
  await lab.startRelay();
  await lab.startRelay();
  await lab.startProjector();
  await lab.startWriters();
  await lab.written(200);
  const intruder = await lab.control();
  intruder.publish('davit.log.fleet.alarm-raised', '{}');
  await eventually(() => lab.relays.some(({ stats }) => stats.rebuilt > 0));
  await lab.written(200);
  const head = await lab.endWriters();
  await mirrorReaches(head);
  expect((await lab.audit()).mismatches).toEqual([]);
});

test('a mirror that was emptied by hand goes on at the right position', async () => {
  await lab.startRelay();
  await fill(lab.log, 30);
  await mirrorReaches(30);
  const manager = await (await lab.control()).jetstreamManager();
  await manager.streams.purge(defaultMirrorNames.stream);
  await fill(lab.log, 5);
  await mirrorReaches(35);
  expect(await lab.audit()).toEqual({ first: 31, last: 35, mismatches: [] });
});

test('a stream that somebody deleted while nothing happens comes back by itself', async () => {
  await lab.startRelay({ verifyMs: 200 });
  await fill(lab.log, 30);
  await mirrorReaches(30);
  const manager = await (await lab.control()).jetstreamManager();
  await manager.streams.delete(defaultMirrorNames.stream);
  await mirrorReaches(30);
});

test('with leases one relay works and the others watch; when it ends, another one takes over', async () => {
  const leases = new PostgresLeases(lab.database.dataSource);
  const first = await lab.startRelay({ leases });
  await mirrorReaches(0);
  const second = await lab.startRelay({ leases });
  await fill(lab.log, 20);
  await mirrorReaches(20);
  expect([first.stats.published, second.stats.published]).toEqual([20, 0]);
  expect([first.stats.leading, second.stats.leading]).toEqual([true, false]);
  await first.stop();
  await eventually(() => second.stats.leading);
  await fill(lab.log, 20);
  await mirrorReaches(40);
  expect(second.stats).toMatchObject({ published: 20, mirrored: 40, rebuilt: 0 });
});

test('a watching relay helps out when the leading one holds its lease and does nothing', async () => {
  // The lease of a process that hangs, and is renewed all the same.
  const takenForGood: Leases = {
    acquire: () => Promise.resolve(undefined),
    holds: () => Promise.resolve(false),
    release: () => Promise.resolve(),
  };
  const watcher = await lab.startRelay({ leases: takenForGood });
  await fill(lab.log, 20);
  await mirrorReaches(20);
  expect(watcher.stats).toMatchObject({ leading: false, published: 20 });
});

test('new limits reach a stream that exists', async () => {
  const relay = await lab.startRelay({ limits: { maxAgeMs: 3_600_000 } });
  await mirrorReaches(0);
  await relay.stop();
  await lab.startRelay({ limits: { maxAgeMs: 7_200_000 } });
  const manager = await (await lab.control()).jetstreamManager();
  await eventually(async () => {
    const { config } = await manager.streams.info(defaultMirrorNames.stream);
    return config.max_age === 7_200_000 * 1e6 && config.deny_delete;
  });
});

test('a hole in the log stops the mirror with a fault instead of being passed over', async () => {
  await fill(lab.log, 5);
  await lab.database.dataSource.query('delete from log.events where position = 3');
  const relay = await lab.startRelay();
  await eventually(() => relay.stats.faults > 0);
  expect(relay.stats.lastFault).toMatch(/position 4 where 3 must be/);
  expect(await lab.mirrored()).toBe(0);
});
