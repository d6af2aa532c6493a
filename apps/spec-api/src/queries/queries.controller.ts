import {
  type DeploymentDetail,
  type DeploymentView,
  type ParamsOf,
  type QueryOf,
  type ReplicaView,
  type RouteView,
  operations,
} from '@davit/contracts';
import { type DeploymentState, type ReplicaState, type RouteState, groupOf } from '@davit/domain';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { deploymentView } from '../views/deployment-view.js';
import { replicaView, stateWord } from '../views/replica-view.js';
import { routeView } from '../views/route-view.js';
import { byDeployment, changedWith, isWanted } from './deployment-filter.js';
import { found, mustExist } from './existing.js';
import { type Listing, isAsked, isOneOf, partOf } from './listing.js';
import { surroundings } from './surroundings.js';

/** What the system looks like, with the position of the log that the answer stands for. */
@Controller()
export class QueriesController {
  /** Deleted deployments are listed with `?all=true`. */
  @Serves(operations.listDeployments)
  async deployments(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listDeployments>,
  ): Promise<Listing<DeploymentView>> {
    const { tenant, changedAfter, ...part } = query;
    const { model, position } = await asking.view();
    const group = tenant === undefined ? undefined : groupOf.tenant(tenant);
    const present = tenant === undefined ? groupOf.anyPresent : groupOf.presentIn(tenant);
    const [stored, replicas] = await Promise.all([
      model.list<DeploymentState>('deployment', group),
      model.list<ReplicaState>('replica', present),
    ]);
    const wanted = changedWith(stored, replicas, changedAfter).filter(({ document }) => isWanted(document, query));
    const isPast = ({ document }: (typeof wanted)[number]): boolean =>
      changedAfter === undefined && document.status === 'deleted';
    const { rows, next } = partOf(wanted, part, isPast);
    const of = byDeployment(replicas);
    return { position, items: rows.map((row) => deploymentView(row, of.get(row.key) ?? [])), next };
  }

  @Serves(operations.getDeployment)
  async deployment(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.getDeployment>,
  ): Promise<DeploymentDetail> {
    const key = `${tenant}/${name}`;
    const { model } = await asking.view();
    const stored = found(await model.get<DeploymentState>('deployment', key), 'deployment', key);
    const replicas = await model.list<ReplicaState>('replica', groupOf.present(key));
    const around = await surroundings(model, replicas);
    return {
      ...deploymentView(
        stored,
        replicas.map(({ document }) => document),
      ),
      spec: stored.document.spec,
      replicas: replicas.map((replica) => replicaView(replica, around)),
    };
  }

  /** Replicas proven gone are listed with `?all=true`. */
  @Serves(operations.listReplicas)
  async replicas(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listReplicas>,
  ): Promise<Listing<ReplicaView>> {
    const { deployment: key, state, adapter, cloud, changedAfter } = query;
    const { model, log, position } = await asking.view();
    if (key !== undefined) await mustExist({ log, model }, key, '?deployment');
    const stored = await model.list<ReplicaState>('replica', replicaGroup(query), undefined, changedAfter);
    const wanted = stored.filter(
      ({ document }) =>
        isOneOf<string>(state, stateWord(document)) &&
        isAsked(adapter, document.adapter) &&
        isAsked(cloud, document.placement?.cloud),
    );
    const { rows, next } = partOf(wanted, query, ({ document }) => document.status === 'deleted');
    const around = await surroundings(model, rows);
    return { position, items: rows.map((replica) => replicaView(replica, around)), next };
  }

  @Serves(operations.getReplica)
  async replica(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.getReplica>,
  ): Promise<ReplicaView> {
    const id = `${tenant}/${name}`;
    const { model } = await asking.view();
    const stored = found(await model.get<ReplicaState>('replica', id), 'replica', id);
    return replicaView(stored, await surroundings(model, [stored]));
  }

  @Serves(operations.listRoutes)
  async routes(
    @Asked() asking: Asking,
    @ReadQuery() query: QueryOf<typeof operations.listRoutes>,
  ): Promise<Listing<RouteView>> {
    const { tenant, deployment, changedAfter } = query;
    const { model, position } = await asking.view();
    const group = tenant === undefined ? undefined : groupOf.tenant(tenant);
    const stored = await model.list<RouteState>('route', group, undefined, changedAfter);
    const wanted = stored.filter(
      ({ document }) =>
        deployment === undefined ||
        [...document.targets, ...document.draining].some((target) => target.deployment === deployment),
    );
    const { rows, next } = partOf(wanted, query);
    return { position, items: rows.map(routeView), next };
  }

  @Serves(operations.getRoute)
  async route(
    @Asked() asking: Asking,
    @ReadParams() { tenant, alias }: ParamsOf<typeof operations.getRoute>,
  ): Promise<RouteView> {
    const key = `${tenant}/${alias}`;
    const { model } = await asking.view();
    return routeView(found(await model.get<RouteState>('route', key), 'route', key));
  }
}

type Which = Pick<QueryOf<typeof operations.listReplicas>, 'tenant' | 'deployment' | 'all' | 'changedAfter'>;

/** What is gone is not even read where nobody asks for it. */
function replicaGroup({ tenant, deployment, all, changedAfter }: Which): string | undefined {
  const past = all || changedAfter !== undefined;
  if (deployment !== undefined) return past ? groupOf.deployment(deployment) : groupOf.present(deployment);
  if (tenant !== undefined) return past ? groupOf.tenant(tenant) : groupOf.presentIn(tenant);
  return past ? undefined : groupOf.anyPresent;
}
