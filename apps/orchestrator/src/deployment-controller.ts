import { type DeploymentState, type ReplicaState, decideDeployment, deploymentKeyOf, groupOf } from '@davit/domain';
import type { Controller } from '@davit/reconcile';
import { BudgetReader } from './budgets.js';
import { carryOut } from './carry-out.js';

/** `deployment.converge`, rollout of a new revision and `deployment.delete`: which replicas must come and which must go. */
export function deploymentController(installation: string, reader: BudgetReader = new BudgetReader()): Controller {
  return {
    name: 'deployment',
    keysOf: (ref) => {
      if (ref.kind === 'deployment') return [ref.key];
      const key = ref.kind === 'replica' ? deploymentKeyOf(ref.key) : undefined;
      return key === undefined ? [] : [key];
    },
    async reconcile(context) {
      const deployment = (await context.model.get<DeploymentState>('deployment', context.key))?.document;
      if (!deployment) return {};
      const present = await context.model.list<ReplicaState>('replica', groupOf.present(context.key));
      const replicas = present.map(({ document }) => document);
      const budgets = await reader.accountsOf(context.model, deployment);
      const decision = decideDeployment(deployment, replicas, context.nowMs(), installation, budgets);
      return carryOut(context, decision, deployment);
    },
  };
}
