import {
  type DeploymentDetail,
  type DeploymentView,
  type ParamsOf,
  type QueryOf,
  type ReplicaView,
  type RouteView,
  operations,
} from '@davit/contracts';
import {
  type DeploymentState,
  FLEET_KEY,
  type FleetState,
  type OrphanState,
  type ReplicaState,
  type RouteState,
  groupOf,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import { ProblemError } from '@davit/service-kit';
import { Controller } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { ReadParams, ReadQuery } from '../operations/read.js';
import { Serves } from '../operations/serves.js';
import { deploymentView, presentReplicas } from '../views/deployment-view.js';
import { type Surroundings, replicaView } from '../views/replica-view.js';
import { routeView } from '../views/route-view.js';
import { mustExist } from './existing.js';

/** A list, with the position of the log that it stands for. */
export interface Listing<Row> {
  readonly position: number;
  readonly items: readonly Row[];
}

/** What the system looks like, with the position of the log that the answer stands for. */
@Controller()
export class QueriesController {
  /** Deleted deployments are listed with `?all=true`. */
  @Serves(operations.listDeployments)
  async deployments(
    @Asked() asking: Asking,
    @ReadQuery() { all, tenant }: QueryOf<typeof operations.listDeployments>,
  ): Promise<Listing<DeploymentView>> {
    const { model, position } = await asking.view();
    const found = await model.list<DeploymentState>(
      'deployment',
      tenant === undefined ? undefined : groupOf.tenant(tenant),
    );
    const shown = found.filter(({ document }) => all || document.status !== 'deleted');
    const items = await Promise.all(
      shown.map(async (stored) => deploymentView(stored, await presentReplicas(model, stored.key))),
    );
    return { position, items };
  }

  @Serves(operations.getDeployment)
  async deployment(
    @Asked() asking: Asking,
    @ReadParams() { tenant, name }: ParamsOf<typeof operations.getDeployment>,
  ): Promise<DeploymentDetail> {
    const key = `${tenant}/${name}`;
    const { model } = await asking.view();
    const stored = await model.get<DeploymentState>('deployment', key);
    if (!stored) {
      throw new ProblemError(
        404,
        'not-found',
        'Not found',
        `There is no deployment ${JSON.stringify(key.slice(0, 120))}.`,
      );
    }
    const replicas = await model.list<ReplicaState>('replica', groupOf.present(key));
    const documents = replicas.map(({ document }) => document);
    const around = await surroundings(model);
    return {
      ...deploymentView(stored, documents),
      spec: stored.document.spec,
      replicas: replicas.map((replica) => replicaView(replica, around)),
    };
  }

  /** Replicas proven gone are listed with `?all=true`. */
  @Serves(operations.listReplicas)
  async replicas(
    @Asked() asking: Asking,
    @ReadQuery() { all, deployment: key, tenant }: QueryOf<typeof operations.listReplicas>,
  ): Promise<Listing<ReplicaView>> {
    const { model, log, position } = await asking.view();
    if (key !== undefined) await mustExist({ log, model }, key, '?deployment');
    const found = await model.list<ReplicaState>('replica', replicaGroup(tenant, key, all));
    const shown = found.filter(({ document }) => all || document.status !== 'deleted');
    const around = await surroundings(model);
    return { position, items: shown.map((replica) => replicaView(replica, around)) };
  }

  @Serves(operations.listRoutes)
  async routes(
    @Asked() asking: Asking,
    @ReadQuery() { tenant }: QueryOf<typeof operations.listRoutes>,
  ): Promise<Listing<RouteView>> {
    const { model, position } = await asking.view();
    const found = await model.list<RouteState>('route', tenant === undefined ? undefined : groupOf.tenant(tenant));
    return { position, items: found.map(routeView) };
  }
}

async function surroundings(model: Pick<ReadModel, 'get' | 'list'>): Promise<Surroundings> {
  const [fleet, orphans, paused] = await Promise.all([
    model.get<FleetState>('fleet', FLEET_KEY),
    model.list<OrphanState>('orphan'),
    model.list<DeploymentState>('deployment', groupOf.paused),
  ]);
  return {
    fleet: fleet?.document,
    orphans: orphans.map(({ document }) => document),
    paused: paused.map(({ document }) => document),
  };
}

function replicaGroup(tenant: string | undefined, key: string | undefined, all: boolean): string | undefined {
  if (key !== undefined) return all ? groupOf.deployment(key) : groupOf.present(key);
  return tenant === undefined ? undefined : groupOf.tenant(tenant);
}
