import { setTimeout as delay } from 'node:timers/promises';
import { LogRelay, PostgresEventLog, natsPoke, relayLag, preparedStatements } from '@davit/event-log';
import type { NatsConnection } from 'nats';
import type { BenchContext, Figure, Section } from '../bench.js';
import { paced, percentile } from '../measure.js';
import { benchNames } from '../names.js';
import { appender } from '../sample.js';

/** The way from the log to those who follow the mirror. */
export const relay: Section = {
  title: 'Relay and feed',
  run: async (context) => {
    const source = new PostgresEventLog(preparedStatements(context.dataSource));
    const running = new LogRelay({
      source,
      connection: context.connection,
      names: benchNames,
      refillDepth: Number.MAX_SAFE_INTEGER,
    });
    try {
      const refill = await refillRate(running, await source.head());
      return [refill, ...(await feedLatency(context))];
    } finally {
      await running.stop();
      const manager = await context.connection.jetstreamManager();
      await manager.streams.delete(benchNames.stream);
    }
  },
};

async function refillRate(running: LogRelay, head: number): Promise<Figure> {
  const startMs = performance.now();
  running.start();
  while (running.stats.mirrored < head || relayLag(running.stats) > 0) await delay(2);
  const perSecond = (head / (performance.now() - startMs)) * 1_000;
  return {
    what: `refill of an empty mirror with ${head} events`,
    value: perSecond,
    unit: '/s',
  };
}

/** From the call of append to the message in the hands of a subscriber, through log, relay and broker. */
async function feedLatency({ dataSource, connection, baseline, seconds }: BenchContext): Promise<readonly Figure[]> {
  const log = new PostgresEventLog(preparedStatements(dataSource), { poke: natsPoke(connection, benchNames.poke) });
  const follower = await follow(connection, (await log.head()) + 1);
  const append = appender(log, 'feed');
  const dueByPosition = new Map<number, number>();
  await paced(500, seconds * 2, async (dueMs) => {
    dueByPosition.set(await append(), dueMs);
  });
  const last = Math.max(...dueByPosition.keys());
  while (!follower.arrivals.has(last)) await delay(5);
  follower.stop();
  const latencies = [...dueByPosition].map(
    ([position, dueMs]) => (follower.arrivals.get(position) ?? Number.NaN) - dueMs,
  );
  const p50 = percentile(latencies, 0.5);
  const p99 = percentile(latencies, 0.99);
  return [
    {
      what: 'append → follower at 500/s, p50',
      value: p50,
      unit: 'ms',
      ratio: p50 / baseline.p50Ms,
      budget: { atMost: 6 },
    },
    {
      what: 'append → follower at 500/s, p99',
      value: p99,
      unit: 'ms',
      ratio: p99 / baseline.p99Ms,
      budget: { atMost: 30 },
    },
  ];
}

async function follow(connection: NatsConnection, from: number) {
  const consumer = await connection.jetstream().consumers.get(benchNames.stream, { opt_start_seq: from });
  const messages = await consumer.consume({ max_messages: 1_000 });
  const arrivals = new Map<number, number>();
  void (async () => {
    for await (const message of messages) arrivals.set(message.seq, performance.now());
  })();
  return { arrivals, stop: () => messages.stop() };
}
