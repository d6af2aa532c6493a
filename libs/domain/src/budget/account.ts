import type { Placement, SpendLimits } from '@davit/contracts';
import type { TenantState } from '../lifecycle/evolve-tenant.js';
import { type Meter, type RatePeriod, confirmedOn, heldOn, isBilling } from '../lifecycle/meter.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { addAmounts, compareAmounts } from '../money.js';
import { wholeMachine } from '../prices/machine.js';

/** One budget, and everything that counts against it. */
export type BudgetAccount = {
  readonly of: 'deployment' | 'tenant';
  /** Key of the deployment, or name of the tenant. */
  readonly name: string;
  readonly limits: SpendLimits;
  /** Spend before this does not count against `limits.maxTotal`. */
  readonly since: string;
  /** All replicas that are not proven gone; where there is a total ceiling, those that are gone too. */
  readonly replicas: readonly ReplicaState[];
  /** Revision that serves, by key of deployment, as far as it is known. */
  readonly active: ReadonlyMap<string, number | null>;
};

/** The budget of a deployment, if it has one. */
export function deploymentAccount(
  { key, spec, declaredAt, activeRevision }: DeploymentState,
  replicas: readonly ReplicaState[],
): BudgetAccount | undefined {
  const limits = spec.spec.budget;
  if (!limits) return undefined;
  const active = new Map([[key, activeRevision]]);
  return { of: 'deployment', name: key, limits, since: declaredAt, replicas, active };
}

/** The budget of a tenant, if it has one. */
export function tenantAccount(
  state: TenantState | undefined,
  replicas: readonly ReplicaState[],
  active: BudgetAccount['active'] = new Map(),
): BudgetAccount | undefined {
  if (!state?.budget || state.budgetSince === null) return undefined;
  return { of: 'tenant', name: state.tenant, limits: state.budget, since: state.budgetSince, replicas, active };
}

/** What counts against a budget now. Amounts are in its currency. */
export type Balance = {
  readonly currency: string;
  /** An hour, of all machines that bill or are about to, as far as their price is known. */
  readonly hourly: string;
  /** Held since `since`, as far as prices are known: at most so much was spent. */
  readonly total: string;
  /** Confirmed by providers, of the same time. */
  readonly confirmed: string;
  /** Machines in `hourly`. */
  readonly machines: number;
  /** Further machines that bill, or are about to, at a price that is unknown or in another currency. */
  readonly unjudged: number;
  /** Machine time of which the same is so, since `since`. */
  readonly unjudgedMs: number;
};

export function balanceOf({ limits, since, replicas }: BudgetAccount, nowMs: number): Balance {
  const { currency } = limits;
  const rates = replicas.flatMap((replica) => rateOf(replica, currency) ?? []);
  const known = rates.flatMap(({ amount }) => amount ?? []);
  const meters = replicas.flatMap(({ meter, placement }) => (meter ? [judgeable(meter, placement, currency)] : []));
  const sinceMs = Date.parse(since);
  const held = heldOn(meters, sinceMs, nowMs);
  const confirmed = confirmedOn(meters, sinceMs, nowMs);
  return {
    currency,
    hourly: known.reduce(addAmounts, '0'),
    total: held.amounts[0]?.amount ?? '0',
    confirmed: confirmed.amounts[0]?.amount ?? '0',
    machines: known.length,
    unjudged: rates.length - known.length,
    unjudgedMs: held.unpricedMs,
  };
}

/**
 * What a replica costs an hour, in this currency: undefined where it has no machine and is about to get none; an amount of
 * null where it has, and nobody can say. A machine whose price is unknown is bounded by the ceiling of its placement.
 */
export function rateOf(replica: ReplicaState, currency: string): { readonly amount: string | null } | undefined {
  const { meter, placement } = replica;
  if (meter) {
    const last = judgeable(meter, placement, currency).rates.at(-1);
    return isBilling(meter) ? { amount: last?.price?.amount ?? null } : undefined;
  }
  if (!isAboutToBill(replica)) return undefined;
  const { price } = replica;
  if (price?.currency === currency && placement) return { amount: wholeMachine(price, placement) };
  return { amount: price ? null : (placement?.maxHourlyPrice ?? null) };
}

/** It was placed, and its launch may be made at any moment; or is being made, whatever has been decided of it meanwhile. */
function isAboutToBill({ status, mode, launch, absence }: ReplicaState): boolean {
  if (mode === 'direct' || !launch) return false;
  if (launch.outcome === 'attempted') return absence.confirmedAt === null && !absence.released;
  return launch.outcome === 'requested' && status === 'launching';
}

/**
 * The meter with one currency and as few unknown prices as can be: a time without a price is bounded by the ceiling of the
 * placement, else by the highest price that this machine ever had. What is priced in another currency stays unknown.
 */
export function judgeable(meter: Meter, placement: Placement | null, currency: string): Meter {
  if (meter.rates.every(({ price }) => price?.currency === currency)) return meter;
  const bound = placement?.maxHourlyPrice ?? highest(meter, currency);
  const judged = (period: RatePeriod): RatePeriod => {
    const { price } = period;
    if (price?.currency === currency) return period;
    if (price !== null || bound === null) return { ...period, price: null };
    return { ...period, price: { amount: bound, currency, kind: 'quoted', source: 'bound' } };
  };
  const [first, ...rest] = meter.rates;
  return { ...meter, rates: [judged(first), ...rest.map(judged)] };
}

const highest = ({ rates }: Meter, currency: string): string | null =>
  rates.reduce<string | null>((found, { price }) => {
    if (price?.currency !== currency) return found;
    return found === null || compareAmounts(price.amount, found) > 0 ? price.amount : found;
  }, null);
