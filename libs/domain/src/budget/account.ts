import type { Placement, SpendLimits } from '@davit/contracts';
import type { TenantState } from '../lifecycle/evolve-tenant.js';
import { type Meter, type RatePeriod, confirmedOn, heldOn, isBilling } from '../lifecycle/meter.js';
import type { DeploymentState, ReplicaState } from '../lifecycle/state.js';
import { isAmount, readableMeter } from '../lifecycle/readable.js';
import { addAmounts, compareAmounts } from '../money.js';
import { wholeMachine } from '../prices/machine.js';
import type { Canary, RolloutState } from '../rollout/state.js';

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
  /** Endpoints on which rollouts prove their candidates: they have no replica, and belong to their deployment. Left out: none. */
  readonly canaries?: readonly Canary[];
  /** Revision that serves, by key of deployment, as far as it is known. */
  readonly active: ReadonlyMap<string, number | null>;
};

/** The budget of a deployment, if it has one. */
export function deploymentAccount(
  { key, spec, declaredAt, activeRevision }: DeploymentState,
  replicas: readonly ReplicaState[],
  rollouts: readonly RolloutState[] = [],
): BudgetAccount | undefined {
  const limits = spec.spec.budget;
  if (!limits) return undefined;
  const active = new Map([[key, activeRevision]]);
  return { of: 'deployment', name: key, limits, since: declaredAt, replicas, canaries: canariesOf(rollouts), active };
}

/** The budget of a tenant, if it has one. */
export function tenantAccount(
  state: TenantState | undefined,
  replicas: readonly ReplicaState[],
  active: BudgetAccount['active'] = new Map(),
  rollouts: readonly RolloutState[] = [],
): BudgetAccount | undefined {
  if (!state?.budget || state.budgetSince === null) return undefined;
  const [limits, since, canaries] = [state.budget, state.budgetSince, canariesOf(rollouts)];
  return { of: 'tenant', name: state.tenant, limits, since, replicas, canaries, active };
}

const canariesOf = (rollouts: readonly RolloutState[]): readonly Canary[] =>
  rollouts.flatMap(({ canary }) => canary ?? []);

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

export function balanceOf(account: BudgetAccount, nowMs: number): Balance {
  const { limits, since } = account;
  const { currency } = limits;
  const rates = ratesOf(account);
  const known = rates.flatMap(({ amount }) => amount ?? []);
  const { meters, unreadableMs } = metersOf(account, nowMs);
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
    unjudgedMs: held.unpricedMs + unreadableMs,
  };
}

/** What each machine costs an hour that bills or is about to; null where nobody can say. */
export const ratesOf = ({ limits: { currency }, replicas, canaries = [] }: BudgetAccount): readonly Rate[] => [
  ...replicas.flatMap((replica) => rateOf(replica, currency) ?? []),
  ...canaries.flatMap((canary) => canaryRate(canary, currency) ?? []),
];

type Rate = { readonly amount: string | null };

/** A machine of which not even the times can be read may have been there all along, at a price that is unknown. */
function metersOf({ limits, since, replicas, canaries = [] }: BudgetAccount, nowMs: number) {
  const owned = [...replicas, ...canaries.map(({ meter }) => ({ meter, placement: null }))].flatMap(
    ({ meter, placement }) => (meter ? [judgeable(meter, placement, limits.currency)] : []),
  );
  const meters = owned.flatMap((meter) => meter ?? []);
  return { meters, unreadableMs: (owned.length - meters.length) * Math.max(0, nowMs - Date.parse(since)) };
}

/**
 * What a replica costs an hour, in this currency: undefined where it has no machine and is about to get none; an amount of
 * null where it has, and nobody can say. A machine whose price is unknown is bounded by the ceiling of its placement.
 */
export function rateOf(replica: ReplicaState, currency: string): Rate | undefined {
  const { meter, placement } = replica;
  if (meter) return meteredRate(meter, placement, currency);
  if (!isAboutToBill(replica)) return undefined;
  const { price } = replica;
  if (price?.currency === currency && placement && isAmount(price.amount))
    return { amount: wholeMachine(price, placement) };
  return { amount: price ? null : ceilingOf(placement) };
}

function meteredRate(meter: Meter, placement: Placement | null, currency: string): Rate | undefined {
  const read = judgeable(meter, placement, currency);
  if (!read) return { amount: null };
  return isBilling(read) ? { amount: read.rates.at(-1)?.price?.amount ?? null } : undefined;
}

/** From the moment that it may be launched; nobody knows before what its workers will cost. */
function canaryRate({ meter, launch, removal }: Canary, currency: string): Rate | undefined {
  if (meter) return meteredRate(meter, null, currency);
  const isDue = launch === 'attempted' || (launch === null && removal === null);
  return isDue ? { amount: null } : undefined;
}

/** It was placed, and its launch may be made at any moment; or is being made, whatever has been decided of it meanwhile. */
function isAboutToBill({ status, mode, launch, absence }: ReplicaState): boolean {
  if (mode === 'direct' || !launch) return false;
  if (launch.outcome === 'attempted') return absence.confirmedAt === null && !absence.released;
  return launch.outcome === 'requested' && status === 'launching';
}

/**
 * The meter with one currency and as few unknown prices as can be: a time without a price is bounded by the ceiling of the
 * placement, else by the highest price that this machine ever had. What is priced in another currency stays unknown. Undefined
 * where nobody can read it at all.
 */
export function judgeable(stored: Meter, placement: Placement | null, currency: string): Meter | undefined {
  const meter = readableMeter(stored);
  if (!meter || meter.rates.every(({ price }) => price?.currency === currency)) return meter;
  const bound = ceilingOf(placement) ?? highest(meter, currency);
  const judged = (period: RatePeriod): RatePeriod => {
    const { price } = period;
    if (price?.currency === currency) return period;
    if (price !== null || bound === null) return { ...period, price: null };
    return { ...period, price: { amount: bound, currency, kind: 'quoted', source: 'bound' } };
  };
  const [first, ...rest] = meter.rates;
  return { ...meter, rates: [judged(first), ...rest.map(judged)] };
}

const ceilingOf = (placement: Placement | null): string | null => {
  const ceiling = placement?.maxHourlyPrice;
  return isAmount(ceiling) ? ceiling : null;
};

const highest = ({ rates }: Meter, currency: string): string | null =>
  rates.reduce<string | null>((found, { price }) => {
    if (price?.currency !== currency) return found;
    return found === null || compareAmounts(price.amount, found) > 0 ? price.amount : found;
  }, null);
