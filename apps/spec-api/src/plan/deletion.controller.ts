import { type BodyOf, type DeletionPlan, operations } from '@davit/contracts';
import { type DeploymentState, type ReplicaState, type RolloutState, type RouteState, groupOf } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadBody } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { found, notFound } from '../queries/existing.js';
import { deletionPlanOf } from './deletion.js';

@Controller()
export class DeletionController {
  /** What deleting it would do. Nothing is written. */
  @Serves(operations.planDeletion)
  async plan(
    @Asked() asking: Asking,
    @ReadBody() { tenant, name }: BodyOf<typeof operations.planDeletion>,
  ): Promise<DeletionPlan> {
    const key = `${tenant}/${name}`;
    const { model, position, nowMs } = await asking.view();
    const { document: deployment } = found(await model.get<DeploymentState>('deployment', key), 'deployment', key);
    if (deployment.status === 'deleted')
      throw notFound(`the deployment ${key} is already deleted`, 'There is nothing to do.');
    const [replicas, rollouts] = await Promise.all([
      model.list<ReplicaState>('replica', groupOf.present(key)),
      model.list<RolloutState>('rollout', groupOf.rolloutsOf(key)),
    ]);
    const routes = await Promise.all(deployment.aliases.map((alias) => model.get<RouteState>('route', alias)));
    return deletionPlanOf({
      deployment,
      replicas: replicas.map(({ document }) => document),
      rollouts: rollouts.map(({ document }) => document),
      routes: routes.flatMap((stored) => (stored ? [stored.document] : [])),
      position,
      nowMs,
    });
  }
}
