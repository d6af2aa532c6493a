import {
  type DeploymentView,
  NAME_PATTERN,
  type NormalisedDeployment,
  type ReplicaView,
  type RouteView,
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
import { Controller, Get, Param, Query } from '@nestjs/common';
import { Asked } from '../asking/asked.js';
import type { Asking } from '../asking/asking.js';
import { deploymentView, presentReplicas } from '../views/deployment-view.js';
import { type Surroundings, replicaView } from '../views/replica-view.js';
import { routeView } from '../views/route-view.js';
import { mustExist } from './existing.js';
import { type Query as Parameters, deploymentKey, onlyKnown, oneOf, single } from './parameters.js';

/** A list, with the position of the log that it stands for. */
export interface Listing<Row> {
  readonly position: number;
  readonly items: readonly Row[];
}

/** What the system looks like, with the position of the log that the answer stands for. */
@Controller('v1')
export class QueriesController {
  /** Deleted deployments are listed with `?all=true`. */
  @Get('deployments')
  async deployments(@Asked() asking: Asking, @Query() query: Parameters): Promise<Listing<DeploymentView>> {
    onlyKnown(query, ['tenant', 'all']);
    const all = oneOf(query, 'all', ['true', 'false']) === 'true';
    const tenant = single(query, 'tenant');
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

  @Get('deployments/:tenant/:name')
  async deployment(
    @Asked() asking: Asking,
    @Param('tenant') tenant: string,
    @Param('name') name: string,
  ): Promise<DeploymentView & { readonly spec: NormalisedDeployment; readonly replicas: readonly ReplicaView[] }> {
    const key = `${tenant}/${name}`;
    const { model } = await asking.view();
    // What is no name is not asked for: a database takes no NUL.
    const isName = NAME_PATTERN.test(tenant) && NAME_PATTERN.test(name);
    const stored = isName ? await model.get<DeploymentState>('deployment', key) : undefined;
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
  @Get('replicas')
  async replicas(@Asked() asking: Asking, @Query() query: Parameters): Promise<Listing<ReplicaView>> {
    onlyKnown(query, ['deployment', 'tenant', 'all']);
    const all = oneOf(query, 'all', ['true', 'false']) === 'true';
    const key = deploymentKey(query, 'deployment');
    const { model, log, position } = await asking.view();
    if (key !== undefined) await mustExist({ log, model }, key, '?deployment');
    const found = await model.list<ReplicaState>('replica', replicaGroup(query, key, all));
    const shown = found.filter(({ document }) => all || document.status !== 'deleted');
    const around = await surroundings(model);
    return { position, items: shown.map((replica) => replicaView(replica, around)) };
  }

  @Get('routes')
  async routes(@Asked() asking: Asking, @Query() query: Parameters): Promise<Listing<RouteView>> {
    onlyKnown(query, ['tenant']);
    const tenant = single(query, 'tenant');
    const { model, position } = await asking.view();
    const found = await model.list<RouteState>('route', tenant === undefined ? undefined : groupOf.tenant(tenant));
    return { position, items: found.map(routeView) };
  }
}

async function surroundings(model: Pick<ReadModel, 'get' | 'list'>): Promise<Surroundings> {
  const [fleet, orphans] = await Promise.all([
    model.get<FleetState>('fleet', FLEET_KEY),
    model.list<OrphanState>('orphan'),
  ]);
  return { fleet: fleet?.document, orphans: orphans.map(({ document }) => document) };
}

function replicaGroup(query: Parameters, key: string | undefined, all: boolean): string | undefined {
  if (key !== undefined) return all ? groupOf.deployment(key) : groupOf.present(key);
  const tenant = single(query, 'tenant');
  return tenant === undefined ? undefined : groupOf.tenant(tenant);
}
