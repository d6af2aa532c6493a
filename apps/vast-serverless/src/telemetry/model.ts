import { groupOf, type RolloutState } from '@davit/domain';
import type { ModelMetrics, Sample } from '@davit/service-kit';
import { MODEL_METRICS, OLDEST_PHASE, OPEN_PHASES, ROLLOUTS } from './definitions.js';

/** Rollouts that go on, as the read model has them. */
export const rolloutModelMetrics: ModelMetrics = {
  definitions: MODEL_METRICS,
  async read(model, nowMs) {
    const open = (await model.list<RolloutState>('rollout', groupOf.openRollouts)).map(({ document }) => document);
    const counts: Sample[] = [];
    const ages: Sample[] = [];
    for (const phase of OPEN_PHASES) {
      const since = open.flatMap((rollout) => (rollout.phase.name === phase ? [Date.parse(rollout.since)] : []));
      counts.push({ labels: { phase }, value: since.length });
      const oldestMs = since.reduce((oldest, at) => Math.min(oldest, at), Infinity);
      if (since.length > 0) ages.push({ labels: { phase }, value: Math.max(0, nowMs - oldestMs) / 1_000 });
    }
    return { [ROLLOUTS.name]: counts, [OLDEST_PHASE.name]: ages };
  },
};
