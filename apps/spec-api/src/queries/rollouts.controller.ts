import { type ParamsOf, type QueryOf, type RolloutPage, type RolloutView, operations } from '@davit/contracts';
import { type RolloutState, groupOf, isRolloutOver } from '@davit/domain';
import { ProblemError } from '@davit/service-kit';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { rolloutView } from '../views/rollout-view.js';

/** How candidates prove themselves, and what waits for an operator. */
@Controller()
export class RolloutsController {
  /** In the order of their ids; those that are over are listed with `?all=true`. */
  @Serves(operations.listRollouts)
  async rollouts(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listRollouts>,
  ): Promise<RolloutPage> {
    const { all, after = '', limit } = query;
    const { model, position } = await asking.view();
    const found = await model.list<RolloutState>('rollout', groupFor(query));
    const shown = found
      .filter(({ key, document }) => key > after && (all || !isRolloutOver(document)))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const items = shown.slice(0, limit).map(rolloutView);
    return { position, items, next: shown.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  @Serves(operations.getRollout)
  async rollout(
    @Asked() asking: Asking,
    @ReadParams() { tenant, rollout }: ParamsOf<typeof operations.getRollout>,
  ): Promise<RolloutView> {
    const id = `${tenant}/${rollout}`;
    const { model } = await asking.view();
    const stored = await model.get<RolloutState>('rollout', id);
    if (stored) return rolloutView(stored);
    throw new ProblemError(404, 'not-found', 'Not found', `There is no rollout ${JSON.stringify(id.slice(0, 120))}.`);
  }
}

type Which = Pick<QueryOf<typeof operations.listRollouts>, 'deployment' | 'tenant'>;

function groupFor({ deployment, tenant }: Which): string | undefined {
  if (deployment !== undefined) return groupOf.rolloutsOf(deployment);
  return tenant === undefined ? undefined : groupOf.tenant(tenant);
}
