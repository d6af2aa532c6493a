import { type Bus, type StrategyStats, busSubjects, deadLettersStream } from '@davit/bus';
import { sleep, systemClock } from '@davit/ports';
import type { ServiceDefinition } from '../service-definition.js';
import { type MetricDefinition, type Sample, each, single } from './definition.js';
import type { Metrics } from './metrics.js';

export const MESSAGES: MetricDefinition<'outcome'> = {
  type: 'counter',
  name: 'davit_messages_total',
  help: 'Deliveries of stored messages, by what became of them',
  labels: { outcome: ['handled', 'retried', 'dead-lettered'] },
};
export const MESSAGES_ACTIVE: MetricDefinition<never> = {
  type: 'gauge',
  name: 'davit_messages_active',
  help: 'Stored messages and requests of the bus being worked on',
  labels: {},
};
export const CONSUMER_PENDING: MetricDefinition<never> = {
  type: 'gauge',
  name: 'davit_consumer_pending_messages',
  help: 'Stored messages that no instance has been given yet; absent while the broker does not say',
  labels: {},
};
export const CONSUMER_UNACKNOWLEDGED: MetricDefinition<never> = {
  type: 'gauge',
  name: 'davit_consumer_unacknowledged_messages',
  help: 'Stored messages given to an instance and not settled; absent while the broker does not say',
  labels: {},
};
export const DEAD_LETTERS: MetricDefinition<never> = {
  type: 'gauge',
  name: 'davit_dead_letters',
  help: 'Messages set aside and not yet looked after; absent while the broker does not say',
  labels: {},
};

/** Of the service that handles stored messages. */
export const MESSAGE_METRICS: readonly MetricDefinition[] = [
  ...[MESSAGES, MESSAGES_ACTIVE, CONSUMER_PENDING, CONSUMER_UNACKNOWLEDGED, DEAD_LETTERS],
];

/** A scrape waits this long for the broker. */
const PATIENCE_MS = 1_000;

type Stored = NonNullable<ServiceDefinition['storedMessages']>;

/** Registers what is known of stored messages: here what was done with them, at the broker how many wait. */
export function messageMetrics(metrics: Metrics, bus: Bus, stored: Stored, stats: () => StrategyStats): void {
  metrics.counted(MESSAGES, () => {
    const { handled, retried, deadLettered } = stats();
    return each('outcome', { handled, retried, 'dead-lettered': deadLettered });
  });
  metrics.gauge(MESSAGES_ACTIVE, () => single(stats().inFlight));
  const ask = (read: () => Promise<number>) => async (): Promise<readonly Sample[]> =>
    single(await answered(bus, read));
  const manager = () => bus.connection.jetstreamManager({ checkAPI: false, timeout: PATIENCE_MS });
  const consumer = async () => (await manager()).consumers.info(stored.stream, stored.durable);
  metrics.gauge(
    CONSUMER_PENDING,
    ask(async () => (await consumer()).num_pending),
  );
  metrics.gauge(
    CONSUMER_UNACKNOWLEDGED,
    ask(async () => (await consumer()).num_ack_pending),
  );
  metrics.gauge(
    DEAD_LETTERS,
    ask(async () => {
      const filter = { subjects_filter: busSubjects.allDeadLetters };
      const { state } = await (await manager()).streams.info(deadLettersStream.name, filter);
      return Object.values(state.subjects ?? {}).reduce((sum, count) => sum + count, 0);
    }),
  );
}

/** Undefined where the broker did not say in time. */
async function answered(bus: Bus, ask: () => Promise<number>): Promise<number | undefined> {
  if (!bus.status().connected) return undefined;
  const patience = new AbortController();
  try {
    return await Promise.race([ask(), sleep(systemClock, PATIENCE_MS, patience.signal).then(() => undefined)]);
  } catch {
    return undefined;
  } finally {
    patience.abort();
  }
}
