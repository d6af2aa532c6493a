import { type DeploymentState, FLEET_KEY, type FleetState, type OrphanState, groupOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { Surroundings } from '../views/replica-view.js';

/** What changes what replicas wait for, beside themselves. */
export async function surroundings(model: Pick<ReadModel, 'get' | 'list'>): Promise<Surroundings> {
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
