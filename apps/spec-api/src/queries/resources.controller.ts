import { type ParamsOf, type QueryOf, type ResourceView, operations } from '@davit/contracts';
import { type OrphanState, type ReplicaState, type RolloutState, groupOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { type ResourceRow, ofOrphan, ofReplica, ofRollout } from '../views/resource-view.js';
import { found } from './existing.js';
import { type Listing, isAsked, partOf } from './listing.js';

type Query = QueryOf<typeof operations.listResources>;

/** Things at providers, whoever owns them. */
@Controller()
export class ResourcesController {
  /** What is proven gone is listed with `?all=true`. */
  @Serves(operations.listResources)
  async resources(@Asked() asking: Asking, @ReadQuery() query: Query): Promise<Listing<ResourceView>> {
    const { model, position } = await asking.view();
    const wanted = (await rowsFor(model, query)).filter(({ view }) => isWanted(view, query));
    const { rows, next } = partOf(wanted, query, ({ isPast }) => isPast);
    return { position, items: rows.map(({ view }) => view), next };
  }

  @Serves(operations.getResource)
  async resource(
    @Asked() asking: Asking,
    @ReadParams() { key }: ParamsOf<typeof operations.getResource>,
  ): Promise<ResourceView> {
    const { model } = await asking.view();
    const [replicas, rollouts, orphan] = await Promise.all([
      model.list<ReplicaState>('replica', groupOf.externalKey(key)),
      model.list<RolloutState>('rollout', groupOf.canary(key)),
      model.get<OrphanState>('orphan', key),
    ]);
    const rows = [...replicas.flatMap(ofReplica), ...rollouts.flatMap(ofRollout), ...(orphan ? ofOrphan(orphan) : [])];
    const [last] = rows.toSorted((a, b) => b.position - a.position);
    return found(last, 'resource', key).view;
  }
}

/** What one deployment owns, or a whole tenant and what nobody owns beside it. */
async function rowsFor(model: Pick<ReadModel, 'list'>, query: Query): Promise<readonly ResourceRow[]> {
  const { tenant, deployment, all, changedAfter } = query;
  const past = all || changedAfter !== undefined;
  const group = tenant === undefined ? undefined : groupOf.tenant(tenant);
  const present = tenant === undefined ? groupOf.anyPresent : groupOf.presentIn(tenant);
  const [ofAll, ofPresent] =
    deployment === undefined ? [group, present] : [groupOf.deployment(deployment), groupOf.present(deployment)];
  const ofRollouts = deployment === undefined ? group : groupOf.rolloutsOf(deployment);
  const [replicas, rollouts, orphans] = await Promise.all([
    model.list<ReplicaState>('replica', past ? ofAll : ofPresent, undefined, changedAfter),
    model.list<RolloutState>('rollout', ofRollouts, undefined, changedAfter),
    deployment === undefined ? model.list<OrphanState>('orphan', group, undefined, changedAfter) : [],
  ]);
  return [...replicas.flatMap(ofReplica), ...rollouts.flatMap(ofRollout), ...orphans.flatMap(ofOrphan)];
}

const isWanted = (view: ResourceView, { adapter, owner, billing }: Query): boolean =>
  isAsked(adapter, view.adapter) && isAsked(owner, view.owner.kind) && isAsked(billing, view.billing);
