import {
  type AlarmState,
  type BudgetVerdict,
  type Meter,
  type OrphanState,
  type ReplicaState,
  type RolloutState,
  divideDecimal,
  groupOf,
  judgeBudget,
  rateNow,
  readableMeter,
} from '@davit/domain';
import type { ReadModel } from '@davit/projection';
import type { ModelMetrics, Sample } from '@davit/service-kit';
import type { BudgetReader } from '../budgets.js';
import { chartValue } from './chart-value.js';
import * as shown from './definitions.js';

/** Shares are shown to a millionth. */
const RATIO_DECIMALS = 6;

/** Fleet, alarms, orphans and money, as the read model has them. */
export const fleetModelMetrics = (reader: BudgetReader): ModelMetrics => ({
  definitions: shown.MODEL_METRICS,
  async read(model, nowMs) {
    const [replicas, rollouts, alarms, accounts, ...orphans] = await Promise.all([
      model.list<ReplicaState>('replica', groupOf.anyPresent),
      model.list<RolloutState>('rollout', groupOf.openRollouts),
      model.list<AlarmState>('alarm'),
      reader.all(model),
      ...shown.RENTING.map((adapter) => openOrphans(model, adapter)),
    ]);
    const present = replicas.map(({ document }) => document);
    const ownerless = orphans.flat();
    return {
      ...statusSamples(present, nowMs),
      [shown.ALARMS_ACTIVE.name]: alarmSamples(alarms.map(({ document }) => document)),
      [shown.ORPHANS.name]: shown.RENTING.map((adapter) => ({
        labels: { adapter },
        value: ownerless.filter((orphan) => orphan.adapter === adapter).length,
      })),
      ...spendSamples({ replica: present, canary: canariesOf(rollouts), orphan: ownerless }),
      [shown.BUDGET_USED.name]: accounts.flatMap((account) => budgetSamples(judgeBudget(account, nowMs))),
    };
  },
});

async function openOrphans(model: ReadModel, adapter: string): Promise<readonly OrphanState[]> {
  return (await model.list<OrphanState>('orphan', groupOf.openOrphans(adapter))).map(({ document }) => document);
}

function statusSamples(replicas: readonly ReplicaState[], nowMs: number): Record<string, readonly Sample[]> {
  const counts: Sample[] = [];
  const ages: Sample[] = [];
  for (const status of shown.PRESENT_STATUSES) {
    const since = replicas.flatMap((replica) => (replica.status === status ? [Date.parse(replica.since)] : []));
    counts.push({ labels: { status }, value: since.length });
    const oldestMs = since.reduce((oldest, at) => Math.min(oldest, at), Infinity);
    if (since.length > 0) ages.push({ labels: { status }, value: Math.max(0, nowMs - oldestMs) / 1_000 });
  }
  return { [shown.REPLICAS.name]: counts, [shown.OLDEST_STATUS.name]: ages };
}

function alarmSamples(alarms: readonly AlarmState[]): readonly Sample[] {
  // Other services may raise alarms of names that are not known here.
  const names = new Set<string>([...shown.KNOWN_ALARMS, ...alarms.map(({ alarm }) => alarm)]);
  return [...names].flatMap((alarm) =>
    shown.SEVERITIES.map((severity) => ({
      labels: { alarm, severity },
      value: alarms.filter((one) => one.alarm === alarm && one.severity === severity).length,
    })),
  );
}

const OWNERS = ['replica', 'canary', 'orphan'] as const;
type Owner = (typeof OWNERS)[number];
type Owned = { readonly tenant: string; readonly meter?: Meter | null };

function canariesOf(rollouts: readonly { readonly document: RolloutState }[]): readonly Owned[] {
  return rollouts.flatMap(({ document: { tenant, canary } }) => (canary ? [{ tenant, meter: canary.meter }] : []));
}

function spendSamples(owned: Readonly<Record<Owner, readonly Owned[]>>): Record<string, readonly Sample[]> {
  const sums = OWNERS.flatMap((owner) => spendOf(owner, owned[owner]));
  return {
    [shown.SPEND_RATE.name]: sums.flatMap(({ rates }) => rates),
    [shown.BILLING.name]: sums.flatMap(({ machines }) => machines),
  };
}

/** What each tenant that is known pays for what is there; one whose machines are all gone pays nothing, which is known. */
function spendOf(owner: Owner, owned: readonly Owned[]) {
  return [...new Set(owned.map(({ tenant }) => tenant))].sort().map((tenant) => {
    const all = owned.flatMap((one) => (one.tenant === tenant && one.meter ? [readableMeter(one.meter)] : []));
    const read = all.flatMap((meter) => meter ?? []);
    const unreadable = all.length - read.length;
    const { amounts, unpriced, billing } = rateNow(read);
    return {
      rates: amounts.map(({ currency, amount }) => ({
        labels: { tenant, currency, owner },
        value: chartValue(amount),
      })),
      machines: [
        { labels: { tenant, owner, price: 'known' }, value: billing - unpriced },
        { labels: { tenant, owner, price: 'unknown' }, value: unpriced + unreadable },
      ],
    };
  });
}

function budgetSamples({ account, balance }: BudgetVerdict): readonly Sample[] {
  const { of, name, limits } = account;
  const share = (limit: 'hourly' | 'total', used: string, ceiling: string | undefined): readonly Sample[] =>
    ceiling === undefined || !/[1-9]/.test(ceiling)
      ? []
      : [{ labels: { of, name, limit }, value: chartValue(divideDecimal(used, ceiling, RATIO_DECIMALS)) }];
  return [...share('hourly', balance.hourly, limits.maxHourly), ...share('total', balance.total, limits.maxTotal)];
}
