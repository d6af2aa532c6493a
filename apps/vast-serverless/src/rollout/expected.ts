import { groupOf, type ReplicaState, type RolloutState } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { Policy } from '../vast/api/endpoints.js';
import type { Expectation, Expected } from '../vast/expectation.js';
import { wire } from './steps/apply-bounds.js';

/**
 * What endpoints may be because of rollouts: a canary has its rollout's template and the bounds that were worked out; production has
 * those of the rollout that was accepted last, or any that the one which goes on may have given it.
 */
export const rolloutExpectation =
  (model: Pick<ReadModel, 'list' | 'get'>): Expected =>
  async (externalKey) => {
    const [canary] = await model.list<RolloutState>('rollout', groupOf.canary(externalKey));
    if (canary) return ofCanary(canary.document);
    const replicas = await model.list<ReplicaState>('replica', groupOf.externalKey(externalKey));
    const deployment = replicas.at(-1)?.document.deployment;
    if (deployment === undefined) return undefined;
    const rollouts = await model.list<RolloutState>('rollout', groupOf.rolloutsOf(deployment));
    const of = rollouts
      .map(({ document }) => document)
      .filter(({ replicaId }) => replicas.some(({ document }) => document.id === replicaId));
    return ofProduction(of.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1)));
  };

function ofCanary({ template, bounds }: RolloutState): Expectation | undefined {
  if (!template) return undefined;
  const { templateId: id, templateHash: hash } = template;
  // Its bounds are worked out while it runs, and are below those of production.
  return { templateHashes: [hash], template: { id, hash }, ...(bounds ? { anyPolicy: true } : {}) };
}

function ofProduction(rollouts: readonly RolloutState[]): Expectation | undefined {
  const hashes = new Set<string>();
  let policy: Expectation['policy'];
  const policies: Policy[] = [];
  for (const { phase, plan, template, bounds, mayHold, touchedAt } of rollouts) {
    const isAccepted = phase.name === 'over' && phase.outcome === 'accepted';
    const isUnderWay = touchedAt !== null && phase.name !== 'over';
    if (!isAccepted && !isUnderWay) continue;
    if (template) hashes.add(template.templateHash);
    if (isUnderWay && plan) hashes.add(plan.rollback.templateHash);
    // Bounds are written before, and taken back after, the template: in between either may be seen.
    if (isUnderWay) policies.push(...mayHold.map(wire));
    else policy = bounds ? wire(bounds) : policy;
  }
  if (hashes.size === 0) return undefined;
  return { templateHashes: [...hashes], ...(policy ? { policy } : {}), ...(policies.length > 0 ? { policies } : {}) };
}
