import type { NormalisedDeployment } from '@davit/contracts';
import {
  type BudgetAccount,
  type DeploymentState,
  type OfferState,
  type ReplicaState,
  type RolloutState,
  type TenantState,
  groupOf,
  offerKeysOf,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import { accountOfTenant, replicasIn, rolloutsIn } from '@davit/service-kit';

/** What the log says that bears on a plan, beside the specification. */
export interface Known {
  /** The deployment as the projection has it; its own stream does not tell of refusals and first prices. */
  readonly deployment: DeploymentState | undefined;
  /** All its replicas, those that are gone too: they count against a total. */
  readonly replicas: readonly ReplicaState[];
  /** What was made of the offers that it allows, by key. */
  readonly offers: ReadonlyMap<string, OfferState>;
  /** Its rollouts on evidence: what proves their candidates counts too. */
  readonly rollouts: readonly RolloutState[];
  /** The budget of its tenant, if that has one, with all that counts against it. */
  readonly tenantAccount: BudgetAccount | undefined;
}

export const NOTHING_KNOWN_YET: Known = {
  deployment: undefined,
  replicas: [],
  offers: new Map(),
  rollouts: [],
  tenantAccount: undefined,
};

export async function readKnown(model: Pick<ReadModel, 'get' | 'list'>, wanted: NormalisedDeployment): Promise<Known> {
  const { tenant, name } = wanted.metadata;
  const { compute } = wanted.spec;
  const key = `${tenant}/${name}`;
  const [deployment, replicas, rollouts, offers, limits] = await Promise.all([
    model.get<DeploymentState>('deployment', key),
    replicasIn(model, groupOf.deployment(key)),
    rolloutsIn(model, groupOf.rolloutsOf(key)),
    Promise.all(
      (compute.mode === 'elastic' ? offerKeysOf(compute) : []).map((one) => model.get<OfferState>('offer', one)),
    ),
    model.get<TenantState>('tenant', tenant),
  ]);
  return {
    deployment: deployment?.document,
    replicas,
    rollouts,
    offers: new Map(offers.flatMap((stored) => (stored ? [[stored.key, stored.document] as const] : []))),
    tenantAccount: limits && (await accountOfTenant(model, limits.document, 'all')),
  };
}
