import {
  type EvidencePolicy,
  type NormalisedDeployment,
  type PlanView,
  type StockState,
  counted,
} from '@davit/contracts';

export interface RolloutInput {
  readonly change: PlanView['change'];
  readonly replicas: PlanView['replicas'];
  readonly wanted: NormalisedDeployment;
  /** Stock of the rung that would be taken; undefined when none would. */
  readonly stock: StockState | undefined;
}

/**
 * How a new revision takes over from the present one. Surge needs machines beside those that serve; without proof that there
 * are any it would wait in front of an empty shelf, and says so before.
 */
export function rolloutPlan({ change, replicas, wanted, stock }: RolloutInput): PlanView['rollout'] {
  if (change !== 'new-revision' || replicas.from === 0) return null;
  const { strategy, evidence } = wanted.spec.rollout;
  if (strategy === 'evidence') return evidence ? evidenceOutlook(evidence) : null;
  if (wanted.spec.compute.mode !== 'elastic') return null;
  const known = stock ?? 'unavailable';
  if (strategy === 'in-place') {
    const outlook = `one replica at a time makes room for its successor; meanwhile ${Math.max(0, replicas.from - 1)} of ${replicas.from} serve`;
    return { strategy, spareMachines: 0, stock: known, outlook };
  }
  const spareMachines = replicas.to;
  const machines = counted(spareMachines, 'spare machine');
  const outlook =
    known === 'available'
      ? `needs ${machines}, which the provider says it has; what serves stays until they serve`
      : `needs ${machines}, and stock is ${known}: it waits, with what serves untouched, until there are some. ` +
        'Where no spare machine is to be had, write spec.rollout.strategy: in-place, which serves with one replica less meanwhile.';
  return { strategy, spareMachines, stock: known, outlook };
}

/** What serves stays where it is; the candidate proves itself beside it first. */
function evidenceOutlook({ canary, load, approval }: EvidencePolicy): PlanView['rollout'] {
  const approved =
    approval === 'required' ? 'after `davit approve` names its evidence' : 'once its evidence stands, without asking';
  return {
    strategy: 'evidence',
    spareMachines: canary.maxWorkers,
    stock: 'unknown',
    outlook:
      `proves the candidate on an endpoint of its own with at most ${counted(canary.maxWorkers, 'worker')} and ` +
      `${canary.maxSpend.amount} ${canary.maxSpend.currency}, under load for at most ${load.maxSpend.amount} ${load.maxSpend.currency}; ` +
      `production is changed ${approved}, and changed back if it serves worse`,
  };
}
