import { type CostMachine, type OrphanState, type ReplicaState, type RolloutState, groupOf } from '@davit/domain';
import type { ReadModel } from '@davit/projection';

/** Whose machines are wanted: of one deployment, else of one tenant, else all. Orphans belong to no deployment. */
export interface MachineOwner {
  readonly deployment?: string | undefined;
  readonly tenant?: string | undefined;
}

/** Every machine that was or may have been paid for: replicas, what proves candidates, and what nobody owns. */
export async function machinesIn(
  model: Pick<ReadModel, 'list'>,
  { deployment: key, tenant }: MachineOwner,
): Promise<readonly CostMachine[]> {
  const group = key !== undefined ? groupOf.deployment(key) : tenant === undefined ? undefined : groupOf.tenant(tenant);
  const replicas = await model.list<ReplicaState>('replica', group);
  const orphans = key === undefined ? await model.list<OrphanState>('orphan', group) : [];
  const rollouts = await model.list<RolloutState>('rollout', key === undefined ? group : groupOf.rolloutsOf(key));
  const machines = [
    ...replicas.flatMap(({ document }) => machineOf(document)),
    ...rollouts.flatMap(({ document }) => canaryOf(document)),
    ...orphans.flatMap(({ document }) => orphanOf(document)),
  ];
  return machines.filter((machine) => tenant === undefined || machine.tenant === tenant);
}

const machineOf = ({ id, deployment, tenant, meter }: ReplicaState): CostMachine[] =>
  meter ? [{ replica: id, deployment, tenant, meter }] : [];

/** What proves a candidate is paid for by its deployment. */
const canaryOf = ({ canary, deployment, tenant }: RolloutState): CostMachine[] =>
  canary?.meter ? [{ replica: `canary:${canary.externalKey}`, deployment, tenant, meter: canary.meter }] : [];

const orphanOf = ({ key, tenant, meter }: OrphanState): CostMachine[] =>
  meter ? [{ replica: key, deployment: null, tenant, meter }] : [];
