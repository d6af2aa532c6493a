import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { lifecycleProjection } from '@davit/domain';
import { PostgresEventLog, PostgresLeases, createDataSource, preparedStatements } from '@davit/event-log';
import { silentLogger, systemClock, systemRandom } from '@davit/ports';
import { createProjectionRunner, foldUpTo, postgresProjectionStores } from '@davit/projection';
import { appendReplicaLives } from '@davit/projection/bench';
import { type Controller, createControlLoop } from '@davit/reconcile';
import type { DataSource } from 'typeorm';
import type { BenchContext, Figure, Section } from '../bench.js';

const REPLICAS = 1_000;
/** As many connections as a service has. */
const POOL = 4;

/** One look at every replica of a fleet in which nothing has to be done: what a start and each resync cost. */
export const reconcile: Section = {
  title: `Reconcile, ${REPLICAS.toLocaleString('en-US')} replicas`,
  run: async ({ databaseUrl }: BenchContext) => {
    const dataSource = await createDataSource({
      url: databaseUrl,
      applicationName: 'davit-bench-reconcile',
      poolSize: POOL,
    }).initialize();
    try {
      return await fullPass(dataSource);
    } finally {
      await dataSource.destroy();
    }
  },
};

async function fullPass(database: DataSource): Promise<readonly Figure[]> {
  const log = new PostgresEventLog(preparedStatements(database));
  const start = await log.head();
  await appendReplicaLives(log, REPLICAS);
  const store = postgresProjectionStores({ database, service: 'bench-reconcile' }).store(lifecycleProjection);
  await store.prepare();
  await store.commit(0, start, []);
  await foldUpTo(lifecycleProjection, log, store, start, Infinity);

  const results: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const before = heapKiB();
  const clock = systemClock;
  const loop = createControlLoop({
    service: 'bench',
    instanceId: 'bench',
    log,
    leases: new PostgresLeases(preparedStatements(database)),
    projection: createProjectionRunner({
      definition: lifecycleProjection,
      store,
      log,
      feed: { subscribe: () => ({ stop: () => Promise.resolve() }) },
      clock,
      logger: silentLogger,
    }),
    controllers: [lookAtReplicas],
    clock,
    random: systemRandom,
    logger: silentLogger,
    // Long enough that no lease runs out, and is forgotten, before the memory is measured.
    leaseTtlMs: 60_000,
    onPass: (_controller, result) => {
      results.push(result);
      if (results.length === REPLICAS) finish();
    },
  });
  await loop.start();
  const startMs = performance.now();
  await finished;
  const passMs = performance.now() - startMs;
  results.length = 0;
  const kibPerReplica = (heapKiB() - before) / REPLICAS;
  await loop.stop();
  return [
    { what: 'one full pass, leases taken anew', value: passMs, unit: 'ms', budget: { atMost: 2_000 } },
    { what: 'memory of the loop for each replica', value: kibPerReplica, unit: 'KiB', budget: { atMost: 50 } },
  ];
}

/** Reads what a controller of replicas reads. */
const lookAtReplicas: Controller = {
  name: 'look',
  keysOf: ({ kind, key }) => (kind === 'replica' ? [key] : []),
  async reconcile({ key, model }) {
    const replica = await model.get('replica', key);
    if (!replica) throw new Error(`replica ${key} is not in the read model`);
    return {};
  },
};

function heapKiB(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // what the flag makes
  collect();
  return process.memoryUsage().heapUsed / 1_024;
}
