import { type Controller, PASS_RESULTS, type PassResult, type QueueStats } from '@davit/reconcile';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from './metrics.js';

type Stats = Readonly<Record<string, QueueStats>>;

/** Registers the metrics of a service's queues; the answer is to be told of each pass. */
export function reconcileMetrics(
  metrics: Metrics,
  controllers: readonly Controller[],
  stats: () => Stats,
): (controller: string, result: PassResult, durationMs: number) => void {
  const registers = [metrics.registry];
  const passes = new Counter({
    name: 'davit_reconcile_passes_total',
    help: 'Passes over a key, by what they ended in',
    labelNames: ['controller', 'result'],
    registers,
  });
  const seconds = new Histogram({
    name: 'davit_reconcile_pass_seconds',
    help: 'Time of one pass over a key',
    labelNames: ['controller'],
    buckets: [0.002, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  for (const { name } of controllers) {
    for (const result of PASS_RESULTS) passes.inc({ controller: name, result }, 0);
  }
  const each = (read: (queue: QueueStats) => number) => (): Record<string, number> =>
    Object.fromEntries(Object.entries(stats()).map(([name, queue]) => [name, read(queue)]));
  const show = (name: string, help: string, read: (queue: QueueStats) => number): void =>
    metrics.gauges(name, help, 'controller', each(read));
  show('davit_queue_depth_keys', 'Keys that wait for a free worker', ({ depth }) => depth);
  show('davit_queue_active_keys', 'Keys being worked on', ({ active }) => active);
  show('davit_queue_delayed_keys', 'Keys that wait for a time', ({ delayed }) => delayed);
  show(
    'davit_queue_oldest_pending_seconds',
    'Age of the key that waits longest',
    (queue) => queue.oldestPendingMs / 1_000,
  );
  return (controller, result, durationMs) => {
    passes.inc({ controller, result });
    seconds.observe({ controller }, durationMs / 1_000);
  };
}
