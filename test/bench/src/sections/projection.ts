import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lifecycleProjection } from '@davit/domain';
import { LogRelay, PostgresEventLog, natsPoke, preparedStatements } from '@davit/event-log';
import type { ProjectionDefinition } from '@davit/projection';
import { measureRebuild } from '@davit/projection/bench';
import type { BenchContext, Figure, Section } from '../bench.js';
import type { FollowerReport } from '../follower.js';
import { paced, percentile } from '../measure.js';
import { benchNames } from '../names.js';
import { appender } from '../sample.js';

/** The read side: building the lifecycle documents from the log, and keeping them in another process. */
export const projection: Section = {
  title: 'Projection',
  run: async (context) => [...(await rebuild(context)), ...(await latency(context))],
};

async function rebuild({ dataSource, baseline }: BenchContext): Promise<readonly Figure[]> {
  const definition: ProjectionDefinition = lifecycleProjection;
  const figures = await measureRebuild(dataSource, definition, { replicas: 1_500, runs: 3 });
  return [
    {
      what: 'read and validate',
      value: figures.readPerSecond,
      unit: '/s',
      ratio: figures.readPerSecond / baseline.insert1,
    },
    {
      what: 'rebuild, a commit an event',
      value: figures.rowByRowPerSecond,
      unit: '/s',
      ratio: figures.rowByRowPerSecond / baseline.insert1,
    },
    {
      what: `rebuild of ${figures.documents} replicas from ${figures.events} events`,
      value: figures.eventsPerSecond,
      unit: '/s',
      ratio: figures.eventsPerSecond / baseline.insert1,
      budget: { atLeast: 40_000 },
    },
  ];
}

/** From the call of append to the committed document, in a process of its own behind relay and broker. */
async function latency({
  dataSource,
  databaseUrl,
  connection,
  baseline,
  seconds,
}: BenchContext): Promise<readonly Figure[]> {
  const log = new PostgresEventLog(preparedStatements(dataSource), { poke: natsPoke(connection, benchNames.poke) });
  const relay = new LogRelay({ source: log, connection, names: benchNames, refillDepth: 1_000 });
  relay.start();
  const start = await log.head();
  const follower = fork(fileURLToPath(new URL('../follower.js', import.meta.url)), [String(start)], {
    env: { ...process.env, DATABASE_URL: databaseUrl, BENCH_STREAM: benchNames.stream },
  });
  const arrivals: FollowerReport[] = [];
  try {
    await once(follower, 'message'); // ready
    follower.on('message', (report) => arrivals.push(report as FollowerReport)); // the follower sends nothing else
    const append = appender(log, 'projection');
    const dueByPosition = new Map<number, number>();
    await paced(500, seconds * 2, async (dueMs) => {
      dueByPosition.set(await append(), performance.timeOrigin + dueMs);
    });
    const last = Math.max(...dueByPosition.keys());
    while ((arrivals.at(-1)?.position ?? 0) < last) await delay(5);
    return latencyFigures(dueByPosition, arrivals, baseline);
  } finally {
    follower.kill();
    await relay.stop();
    const manager = await connection.jetstreamManager();
    await manager.streams.delete(benchNames.stream);
  }
}

function latencyFigures(
  dueByPosition: ReadonlyMap<number, number>,
  arrivals: readonly FollowerReport[],
  baseline: BenchContext['baseline'],
): readonly Figure[] {
  const latencies: number[] = [];
  let index = 0;
  for (const [position, dueMs] of [...dueByPosition].sort(([left], [right]) => left - right)) {
    while ((arrivals[index]?.position ?? Infinity) < position) index += 1;
    latencies.push((arrivals[index]?.atMs ?? Number.NaN) - dueMs);
  }
  const p50 = percentile(latencies, 0.5);
  const p99 = percentile(latencies, 0.99);
  const what = 'append → projection of another process at 500/s';
  return [
    { what: `${what}, p50`, value: p50, unit: 'ms', ratio: p50 / baseline.p50Ms, budget: { atMost: 6 } },
    { what: `${what}, p99`, value: p99, unit: 'ms', ratio: p99 / baseline.p99Ms, budget: { atMost: 30 } },
  ];
}
