import { type SpendLimits, stream } from '@davit/contracts';
import { type Refused, type TenantState, canonicalJson, evolveTenant } from '@davit/domain';
import type { DeploymentSources } from './deployment-intents.js';
import type { Judge } from './verdict.js';

/** What all deployments of the tenant may spend together is this, from now on; null takes the ceilings away. */
export const setBudget =
  (sources: DeploymentSources, tenant: string, budget: SpendLimits | null): Judge =>
  async (intentId) => {
    const state = await presentTenant(sources, tenant);
    const present = state?.budget ?? null;
    if (budget === null && present === null) return nothingToClear(tenant);
    const changed = canonicalJson(budget) !== canonicalJson(present);
    const event = { type: 'davit.tenant.budget-set', data: { intentId, budget } } as const;
    return {
      outcome: 'accepted',
      facts: { about: `tenant/${tenant}`, changed },
      writes: changed ? [{ stream: stream.tenant(tenant), expectedVersion: state?.version ?? 0, events: [event] }] : [],
      basedOnPosition: undefined,
    };
  };

const nothingToClear = (tenant: string): Refused => ({
  outcome: 'refused',
  code: 'not-found',
  detail: `tenant ${tenant} has no budget`,
  remedy: 'See `davit budget get` for the budgets that are set.',
});

/** The projection, and what came after it. */
async function presentTenant({ log, model }: DeploymentSources, tenant: string): Promise<TenantState | undefined> {
  const seen = await model.get<TenantState>('tenant', tenant);
  const later = await log.readStream(stream.tenant(tenant), seen?.document.version ?? 0);
  return later.reduce<TenantState | undefined>(evolveTenant, seen?.document);
}
