import type { RolloutPage, RolloutView } from '@davit/contracts';
import { type RolloutState, groupOf, isRolloutOver } from '@davit/domain';
import { ProblemError } from '@davit/service-kit';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { rolloutView } from '../views/rollout-view.js';
import { type Query as Parameters, countOf, deploymentKey, oneOf, onlyKnown, single } from './parameters.js';

const PAGE = 100;
const LARGEST_PAGE = 1_000;

/** How candidates prove themselves, and what waits for an operator. */
@Controller('v1/rollouts')
export class RolloutsController {
  /** In the order of their ids; those that are over are listed with `?all=true`. */
  @Get()
  async rollouts(@Asked() asking: Asking, @Query() query: Parameters): Promise<RolloutPage> {
    onlyKnown(query, ['deployment', 'tenant', 'all', 'after', 'limit']);
    const all = oneOf(query, 'all', ['true', 'false']) === 'true';
    const after = single(query, 'after') ?? '';
    const limit = countOf(query, 'limit', PAGE, LARGEST_PAGE);
    const { model, position } = await asking.view();
    const found = await model.list<RolloutState>('rollout', groupFor(query));
    const shown = found
      .filter(({ key, document }) => key > after && (all || !isRolloutOver(document)))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const items = shown.slice(0, limit).map(rolloutView);
    return { position, items, next: shown.length > limit ? (items.at(-1)?.id ?? null) : null };
  }

  @Get(':tenant/:rollout')
  async rollout(
    @Asked() asking: Asking,
    @Param('tenant') tenant: string,
    @Param('rollout') name: string,
  ): Promise<RolloutView> {
    const id = `${tenant}/${name}`;
    const { model } = await asking.view();
    // What is no id is not asked for: a database takes no NUL.
    const isId = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*-\d+-\d+$/.test(id);
    const stored = isId ? await model.get<RolloutState>('rollout', id) : undefined;
    if (stored) return rolloutView(stored);
    throw new ProblemError(404, 'not-found', 'Not found', `There is no rollout ${JSON.stringify(id.slice(0, 120))}.`);
  }
}

function groupFor(query: Parameters): string | undefined {
  const key = deploymentKey(query, 'deployment');
  if (key !== undefined) return groupOf.rolloutsOf(key);
  const tenant = single(query, 'tenant');
  return tenant === undefined ? undefined : groupOf.tenant(tenant);
}
