import { type ControlLoopStatus, type Controller, PASS_RESULTS, type PassResult } from '@davit/reconcile';
import { type MetricDefinition, each } from './definition.js';
import type { Metrics } from './metrics.js';
import * as shown from './service-metrics.js';

type State = Pick<ControlLoopStatus, 'controllers' | 'leases'>;

/** Registers the metrics of a service's queues and leases; the answer is to be told of each pass. */
export function reconcileMetrics(
  metrics: Metrics,
  controllers: readonly Controller[],
  state: () => State,
): (controller: string, result: PassResult, durationMs: number) => void {
  const passes = metrics.counter(shown.PASSES);
  const seconds = metrics.histogram(shown.PASS_SECONDS);
  for (const { name } of controllers) {
    for (const result of PASS_RESULTS) passes.inc({ controller: name, result }, 0);
    seconds.zero({ controller: name });
  }
  const show = <Part extends keyof State>(
    definition: MetricDefinition,
    part: Part,
    read: (of: State[Part][string]) => number,
  ): void =>
    metrics.gauge(definition, () => {
      const all = Object.entries(state()[part]) as [string, State[Part][string]][]; // what its type says, one by one
      return each('controller', Object.fromEntries(all.map(([name, of]) => [name, read(of)])));
    });
  show(shown.QUEUE_DEPTH, 'controllers', ({ depth }) => depth);
  show(shown.QUEUE_ACTIVE, 'controllers', ({ active }) => active);
  show(shown.QUEUE_DELAYED, 'controllers', ({ delayed }) => delayed);
  show(shown.QUEUE_OLDEST, 'controllers', ({ oldestPendingMs }) => oldestPendingMs / 1_000);
  show(shown.LEASES_HELD, 'leases', ({ held }) => held);
  show(shown.LEASE_AGE, 'leases', ({ oldestMs }) => oldestMs / 1_000);
  return (controller, result, durationMs) => {
    passes.inc({ controller, result });
    seconds.observe({ controller }, durationMs / 1_000);
  };
}
