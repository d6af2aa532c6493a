import { connectBus, jetStreamLogFeed } from '@davit/bus';
import { PostgresEventLog, createDataSource, preparedStatements } from '@davit/event-log';
import { silentLogger, systemClock } from '@davit/ports';
import { type ProjectionDefinition, createProjectionRunner, postgresProjectionStores } from '@davit/projection';

/** Sent after each commit: everything up to `position` was in the projection at `atMs`. */
export interface FollowerReport {
  readonly position: number;
  readonly atMs: number;
}

/** Counts the alarms of each stream: one document an event, so that every event changes something. */
const alarms: ProjectionDefinition = {
  name: 'bench-alarms',
  version: 1,
  refs: (event) => (event.type === 'davit.fleet.alarm-raised' ? [{ kind: 'alarm', key: event.stream }] : []),
  evolve: (document, event) => ({ count: Number(document?.['count'] ?? 0) + 1, last: event.data }),
  groups: () => [],
};

/** `follower.js <position>`: keeps a projection from that position on and tells its parent how far it is. */
const { DATABASE_URL: url = '', NATS_URL: servers = '', BENCH_STREAM: stream = '' } = process.env;
const database = await createDataSource({ url, applicationName: 'davit-bench-follower' }).initialize();
const bus = await connectBus({ url: servers, name: 'davit-bench-follower', logger: silentLogger });
const store = postgresProjectionStores({ database, service: 'bench-follower' }).store(alarms);
await store.prepare();
await store.commit(await store.position(), Number(process.argv[2]), []);
const runner = createProjectionRunner({
  definition: alarms,
  store,
  log: new PostgresEventLog(preparedStatements(database)),
  feed: jetStreamLogFeed(bus, { stream }),
  clock: systemClock,
  logger: silentLogger,
});
const report = (position: number): void => {
  process.send?.({ position, atMs: performance.timeOrigin + performance.now() } satisfies FollowerReport);
};
runner.observe({ onLive: report, onChanged: (_changes, position) => report(position) });
runner.start();
process.once('disconnect', () => process.exit());
