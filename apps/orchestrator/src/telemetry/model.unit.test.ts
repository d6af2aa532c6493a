import { beforeEach, describe, expect, it } from '@jest/globals';
import { type LifecycleDocument, lifecycleProjection } from '@davit/domain';
import { type Document, MemoryProjectionStore } from '@davit/projection';
import type { Sample } from '@davit/service-kit';
import { BudgetReader } from '../budgets.js';
import * as shown from './definitions.js';
import { fleetModelMetrics } from './model.js';

const NOW = Date.UTC(2026, 0, 1, 2);
const SINCE = new Date(NOW - 3_600_000).toISOString();
const meter = (amount: string | null, until: string | null = null): object => ({
  ...{ since: SINCE, position: 1, seen: [], until, untilPosition: null, ends: [] },
  rates: [{ from: SINCE, position: 1, price: amount && { amount, currency: 'USD', kind: 'billed', source: 'test' } }],
});

let store: MemoryProjectionStore;
let position: number;
/** Puts a document into the tables as a fold would; only what is read of it here is in it. */
async function holds(kind: string, key: string, document: object): Promise<void> {
  const groups = lifecycleProjection.groups({ kind }, document as LifecycleDocument);
  await store.commit(position, position + 1, [
    { kind, key, position: position + 1, document: document as Document, groups },
  ]);
  position += 1;
}
const replica = (ordinal: number, rented: object | null, change: object = {}): Promise<void> =>
  holds('replica', `acme/qwen-1-${ordinal}-1`, {
    ...{ id: `acme/qwen-1-${ordinal}-1`, tenant: 'acme', deployment: 'acme/qwen', revision: 1, ordinal },
    ...{ status: 'ready', since: SINCE, mode: 'elastic', adapter: 'skypilot', servedName: 'qwen', placement: null },
    ...{ runtime: null, resource: null, absence: { observedAt: [], confirmedAt: null, released: false } },
    ...{ price: null, launch: null, externalKey: `dv-${ordinal}`, meter: rented, ...change },
  });
const budget = (maxHourly: string): Promise<void> =>
  holds('tenant', 'acme', {
    ...{ tenant: 'acme', budgetSince: SINCE, version: 1 },
    budget: { currency: 'USD', maxHourly, maxTotal: '10', onExceed: 'refuse' },
  });

async function samples(of: { readonly name: string }): Promise<readonly Sample[]> {
  const read = await fleetModelMetrics(new BudgetReader()).read(store, NOW);
  return read[of.name] ?? [];
}

describe('money, as it is charted', () => {
  beforeEach(() => {
    store = new MemoryProjectionStore();
    position = 0;
  });

  it('is the sum of what bills now, by tenant and owner; what is over counts nothing', async () => {
    await replica(0, meter('0.50'));
    await replica(1, meter('0.25'));
    await replica(2, meter('9.00', SINCE));
    expect(await samples(shown.SPEND_RATE)).toEqual([
      { labels: { tenant: 'acme', currency: 'USD', owner: 'replica' }, value: 0.75 },
    ]);
    expect(await samples(shown.BILLING)).toEqual([
      { labels: { tenant: 'acme', owner: 'replica', price: 'known' }, value: 2 },
      { labels: { tenant: 'acme', owner: 'replica', price: 'unknown' }, value: 0 },
    ]);
  });

  it('counts a machine of unknown price apart, and never as free', async () => {
    await replica(0, meter('0.50'));
    await replica(1, meter(null));
    expect(await samples(shown.SPEND_RATE)).toMatchObject([{ value: 0.5 }]);
    expect(await samples(shown.BILLING)).toMatchObject([{ value: 1 }, { value: 1 }]);
  });

  it('goes on for everybody where one machine’s books cannot be read', async () => {
    await budget('2');
    await replica(0, meter('0.50'));
    await replica(1, meter('half a dollar'));
    await replica(2, { since: SINCE, until: null });
    expect(await samples(shown.SPEND_RATE)).toMatchObject([{ value: 0.5 }]);
    expect(await samples(shown.BILLING)).toMatchObject([{ value: 1 }, { value: 2 }]);
    expect(await samples(shown.BUDGET_USED)).toMatchObject([
      { labels: { of: 'tenant', name: 'acme', limit: 'hourly' }, value: 0.25 },
      { labels: { of: 'tenant', name: 'acme', limit: 'total' }, value: 0.05 },
    ]);
  });

  it('tells canaries of rollouts apart, and counts them against the budget', async () => {
    await budget('2');
    await replica(0, meter('0.50'));
    const canary = { externalKey: 'dv-c', launch: 'done', removal: null, removed: false, meter: meter('0.50') };
    const rollout = {
      id: 'acme/qwen-2-1',
      tenant: 'acme',
      deployment: 'acme/qwen',
      phase: { name: 'proving' },
      canary,
    };
    await holds('rollout', 'acme/qwen-2-1', rollout);
    expect(await samples(shown.SPEND_RATE)).toMatchObject([
      { labels: { owner: 'replica' }, value: 0.5 },
      { labels: { owner: 'canary' }, value: 0.5 },
    ]);
    expect((await samples(shown.BUDGET_USED))[0]).toMatchObject({ labels: { limit: 'hourly' }, value: 0.5 });
  });

  it('shows no share of a ceiling that is not set, and above one where it is exceeded', async () => {
    await replica(0, meter('3'));
    expect(await samples(shown.BUDGET_USED)).toEqual([]);
    await budget('2');
    expect((await samples(shown.BUDGET_USED))[0]).toMatchObject({ labels: { limit: 'hourly' }, value: 1.5 });
  });
});
