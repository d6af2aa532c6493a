import { type ParamsOf, type QueryOf, type RolloutPage, type RolloutView, operations } from '@davit/contracts';
import { type RolloutState, groupOf, isRolloutOver } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { rolloutView } from '../views/rollout-view.js';
import { found } from './existing.js';
import { isOneOf, partOf } from './listing.js';

/** How candidates prove themselves, and what waits for an operator. */
@Controller()
export class RolloutsController {
  /** In the order of their ids; those that are over are listed with `?all=true`. */
  @Serves(operations.listRollouts)
  async rollouts(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listRollouts>,
  ): Promise<RolloutPage> {
    const { model, position } = await asking.view();
    const stored = await model.list<RolloutState>('rollout', groupFor(query), undefined, query.changedAfter);
    const wanted = stored.filter(({ document }) => isOneOf<string>(query.phase, document.phase.name));
    const { rows, next } = partOf(wanted, query, ({ document }) => isRolloutOver(document));
    return { position, items: rows.map(rolloutView), next };
  }

  @Serves(operations.getRollout)
  async rollout(
    @Asked() asking: Asking,
    @ReadParams() { tenant, rollout }: ParamsOf<typeof operations.getRollout>,
  ): Promise<RolloutView> {
    const id = `${tenant}/${rollout}`;
    const { model } = await asking.view();
    return rolloutView(found(await model.get<RolloutState>('rollout', id), 'rollout', id));
  }
}

type Which = Pick<QueryOf<typeof operations.listRollouts>, 'deployment' | 'tenant'>;

function groupFor({ deployment, tenant }: Which): string | undefined {
  if (deployment !== undefined) return groupOf.rolloutsOf(deployment);
  return tenant === undefined ? undefined : groupOf.tenant(tenant);
}
