import { VERDICTS } from '@davit/domain';
import { type MetricDefinition, PROVIDER_METRICS } from '@davit/service-kit';

const definition = <Label extends string>(metric: MetricDefinition<Label>): MetricDefinition<Label> => metric;

/** A rollout that is over is in none. */
export const OPEN_PHASES = [
  ...(['proving', 'bounding', 'ramping', 'baselining', 'awaiting-approval'] as const),
  ...(['updating', 'observing', 'judging', 'withdrawing', 'rolling-back'] as const),
] as const;
export const OUTCOMES = ['accepted', 'rejected', 'rolled-back', 'refused'] as const;

export const ROLLOUTS = definition({
  type: 'gauge',
  name: 'davit_rollouts',
  help: 'Rollouts on evidence that are not over, by phase',
  labels: { phase: OPEN_PHASES },
});
export const OLDEST_PHASE = definition({
  type: 'gauge',
  name: 'davit_rollout_oldest_phase_age_seconds',
  help: 'How long the rollout that is longest in this phase has been in it; absent where none is',
  labels: { phase: OPEN_PHASES },
});
export const PHASE_SECONDS = definition({
  type: 'histogram',
  name: 'davit_rollout_phase_seconds',
  help: 'Time a rollout was in a phase, told when it leaves it, by the instance that decided so',
  labels: { phase: OPEN_PHASES },
  buckets: [1, 5, 15, 60, 180, 600, 1_800, 3_600, 21_600, 86_400],
});
export const VERDICTS_REACHED = definition({
  type: 'counter',
  name: 'davit_rollout_verdicts_total',
  help: 'Verdicts over candidates in production; a wait is told from time to time',
  labels: { verdict: VERDICTS },
});
export const ROLLOUTS_ENDED = definition({
  type: 'counter',
  name: 'davit_rollouts_ended_total',
  help: 'Rollouts that are over, by how they ended',
  labels: { outcome: OUTCOMES },
});

/** Read from the read model when they are asked for: every instance shows the same. */
export const MODEL_METRICS = [ROLLOUTS, OLDEST_PHASE];

export const METRICS: readonly MetricDefinition[] = [
  ...PROVIDER_METRICS,
  ...[ROLLOUTS, OLDEST_PHASE, PHASE_SECONDS, VERDICTS_REACHED, ROLLOUTS_ENDED],
];
