import { type DeploymentState, EventSight, groupOf, offerKeysOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { Principal } from './principal.js';

/** What somebody sees of the log, knowing the offers that the deployments of their tenants allow. */
export async function sightOf(model: Pick<ReadModel, 'list'>, principal: Principal): Promise<EventSight> {
  return new EventSight(principal, principal.tenants === 'all' ? [] : await offersOf(model, principal.tenants));
}

/** Offers that the deployments of these tenants allow, or have allowed. */
export async function offersOf(
  model: Pick<ReadModel, 'list'>,
  tenants: readonly string[],
): Promise<ReadonlySet<string>> {
  const groups = await Promise.all(
    tenants.map((tenant) => model.list<DeploymentState>('deployment', groupOf.tenant(tenant))),
  );
  const specs = groups.flat().flatMap(({ document: { spec, revisions } }) => [spec, ...Object.values(revisions)]);
  const elastic = specs.flatMap(({ spec: { compute } }) => (compute.mode === 'elastic' ? [compute] : []));
  return new Set(elastic.flatMap(offerKeysOf));
}
