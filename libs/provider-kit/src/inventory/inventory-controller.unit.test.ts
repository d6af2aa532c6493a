import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RESOURCE_TIMINGS, externalKeyPrefix, orphanKeyOf } from '@davit/domain';
import { seededRandom } from '@davit/ports';
import { createBackendRegistry } from '../registry.js';
import { CrowdedProvider } from '../testing/crowded-provider.js';
import { FleetRig, INSTALLATION, type FleetHooks } from '../testing/fleet-rig.js';
import { Crash } from '../testing/rig.js';
import { DEFAULT_INVENTORY_RULES, inventoryController, type InventoryRules } from './inventory-controller.js';

const { absenceSpacingMs, deleteRetryMs, visibilityMs } = DEFAULT_RESOURCE_TIMINGS;
const { quarantineMs, everyMs } = DEFAULT_INVENTORY_RULES;
const FOREIGN = `${externalKeyPrefix(INSTALLATION)}nobodyaskedforit1`;
const PRICE = {
  amount: '0.79',
  currency: 'USD',
  unit: 'instance-hour',
  kind: 'catalogue',
  source: 'crowd',
  observedAt: '2026-01-01T00:00:00.000Z',
} as const;

function setUp(rules: Partial<InventoryRules> = {}) {
  const rig = new FleetRig();
  const provider = new CrowdedProvider(() => rig.clock.nowMs(), seededRandom(1));
  const build = (backend: CrowdedProvider = provider) =>
    inventoryController({
      backends: createBackendRegistry([backend]),
      installation: INSTALLATION,
      random: seededRandom(2),
      rules: { ...DEFAULT_INVENTORY_RULES, ...rules },
    });
  const parts = { rig, provider, build, controller: build() };
  /** Lets time pass with a pass every few seconds. */
  const run = async (ms: number, hooks: FleetHooks = {}): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      await rig.clock.advance(5_000);
      await rig.pass(parts.controller, 'skypilot', hooks);
    }
  };
  return Object.assign(parts, { run });
}

/** Long enough for a thing to be old enough and for the next inventory. */
const UNTIL_FOUND_MS = visibilityMs + 2 * everyMs;

async function found(rules: Partial<InventoryRules> = {}) {
  const parts = setUp(rules);
  const id = parts.provider.create(FOREIGN, PRICE);
  await parts.run(UNTIL_FOUND_MS);
  const key = orphanKeyOf('skypilot', FOREIGN, id);
  const approve = () =>
    parts.rig.given('fleet/orders', {
      type: 'davit.fleet.reap-approved',
      data: { intentId: '00000000-0000-7000-8000-000000000002', orphan: key, reason: 'not ours' },
    });
  return Object.assign(parts, { id, key, approve });
}

/** A replica that serves, with the thing it has. */
async function serving(rules: Partial<InventoryRules> = {}) {
  const parts = setUp(rules);
  await parts.rig.requested(1);
  const id = parts.provider.create(parts.rig.keyOf(1));
  await parts.rig.fact(1, 'observed', upAs(id));
  return Object.assign(parts, { id, key: parts.rig.keyOf(1) });
}
const upAs = (providerId: string) => ({
  phase: 'up',
  url: 'http://10.0.0.1:8000',
  providerId,
  price: null,
  class: null,
  detail: '',
});

async function gone(rules: Partial<InventoryRules> = {}) {
  const parts = await serving(rules);
  const { rig } = parts;
  await rig.deleteRequested(1);
  parts.provider.things.clear();
  await rig.fact(1, 'absence-observed', { by: 'key', inventoryRows: null });
  await rig.fact(1, 'absence-observed', { by: 'key', inventoryRows: null });
  const observedAt = [new Date(0).toISOString(), new Date(0).toISOString()];
  await rig.fact(1, 'absence-confirmed', { observedAt, inventoryRows: 0 });
  await rig.deleted(1);
  return parts;
}

describe('a thing that nobody in the log asked for', () => {
  test('is no orphan while it is young: its record may be on its way', async () => {
    const { rig, provider, run } = setUp();
    provider.create(FOREIGN);
    await run(visibilityMs - 5_000);
    expect(await rig.orphans()).toEqual([]);
  });

  test('is found, is told with its price by an alarm, and is told once', async () => {
    const { rig, run, key } = await found();
    await run(10 * everyMs);
    expect(rig.facts(key)).toEqual(['orphan-found']);
    expect(await rig.orphans()).toMatchObject([{ key, status: 'quarantined', reason: 'no-owner', policy: 'approve' }]);
    expect(await rig.alarms('orphan')).toEqual([key]);
    const raised = rig.events.find(({ type }) => type === 'davit.fleet.alarm-raised');
    expect(JSON.stringify(raised?.data)).toContain('0.79 USD an hour');
  });

  test('is left alone for ever where orphans are only reported, approved or not', async () => {
    const { rig, provider, run, approve } = await found({ policy: 'report' });
    await approve();
    await run(quarantineMs + 5 * everyMs);
    expect(provider.reaped).toEqual([]);
    expect(rig.facts('@')).toEqual(['orphan-found']);
  });

  test('waits for an approval, and even then for the end of its quarantine', async () => {
    const { rig, provider, run, approve } = await found();
    await approve();
    await run(quarantineMs - UNTIL_FOUND_MS);
    expect(provider.reaped).toEqual([]);
    await run(2 * UNTIL_FOUND_MS);
    expect(provider.reaped).toMatchObject([{ name: FOREIGN }]);
    expect(await rig.orphans()).toMatchObject([{ status: 'gone' }]);
  });

  test('is deleted only after an attempt in the log, and called gone after two inventories that name who listed', async () => {
    const { rig, provider, run } = await found({ policy: 'auto' });
    let written: string[] = [];
    provider.beforeReap = () => {
      written = rig.facts('@');
    };
    await run(quarantineMs + UNTIL_FOUND_MS);
    expect(written).toEqual(['orphan-found', 'delete-attempted']);
    expect(rig.facts('@').slice(2)).toEqual([
      'delete-accepted',
      'absence-observed',
      'absence-observed',
      'absence-confirmed',
    ]);
    const confirmed = rig.events.find(({ type }) => type.endsWith('absence-confirmed'));
    expect(confirmed?.data).toMatchObject({ inventorySources: ['crowd'] });
    expect(await rig.alarms('orphan')).toEqual([]);
  });

  test('that went away by itself is cleared after two spaced inventories, not after one', async () => {
    const { rig, provider, run, key } = await found();
    provider.things.clear();
    for (let waited = 0; rig.facts(key).length < 2 && waited < 20; waited++) await run(5_000);
    expect(rig.facts(key).at(-1)).toBe('absence-observed');
    await run(absenceSpacingMs - 5_000);
    expect(rig.facts(key).at(-1)).toBe('absence-observed');
    await run(2 * everyMs);
    expect(rig.facts(key).at(-1)).toBe('orphan-cleared');
    expect(await rig.alarms('orphan')).toEqual([]);
  });

  test('whose owner turns up in its quarantine is cleared, and lives', async () => {
    const { rig, provider, run } = setUp({ policy: 'auto' });
    const id = provider.create(rig.keyOf(1));
    await run(UNTIL_FOUND_MS);
    await rig.requested(1);
    await rig.fact(1, 'observed', upAs(id));
    await run(quarantineMs + UNTIL_FOUND_MS);
    expect(rig.facts('@')).toEqual(['orphan-found', 'orphan-cleared']);
    expect(provider.reaped).toEqual([]);
    expect(await rig.alarms('orphan')).toEqual([]);
  });

  test('of another installation, or of nobody at all, is not even looked at', async () => {
    const { rig, provider, run } = setUp({ policy: 'auto' });
    provider.create(`${externalKeyPrefix('another')}nobodyaskedforit1`);
    provider.create('somebodys-notebook');
    await run(quarantineMs + UNTIL_FOUND_MS);
    expect(rig.events).toEqual([]);
  });

  test('that the log cannot take facts about holds up no other thing', async () => {
    const { rig, provider, run } = setUp();
    const id = provider.create(`${FOREIGN.slice(0, -1)}2`, { ...PRICE, amount: 'cheap' });
    provider.create(FOREIGN);
    await run(UNTIL_FOUND_MS);
    expect(provider.things.has(id)).toBe(true);
    expect(await rig.orphans()).toMatchObject([{ externalKey: FOREIGN }]);
  });

  test('with a name that is none of ours holds up no other thing', async () => {
    const { rig, provider, run } = setUp();
    provider.create(`${externalKeyPrefix(INSTALLATION)}Not A Name`);
    provider.create(FOREIGN);
    await run(UNTIL_FOUND_MS);
    expect(await rig.orphans()).toMatchObject([{ externalKey: FOREIGN }]);
  });
});

describe('a second thing of a name', () => {
  test('is an orphan beside the recorded one, and only the second is ended', async () => {
    const { rig, provider, run, key, id } = await serving({ policy: 'auto' });
    const second = provider.create(key);
    await run(quarantineMs + 2 * UNTIL_FOUND_MS);
    expect(provider.reaped).toMatchObject([{ id: second }]);
    expect([...provider.things.keys()]).toEqual([id]);
    expect(await rig.orphans()).toMatchObject([{ reason: 'duplicate', status: 'gone', replicaId: rig.idOf(1) }]);
  });

  test('is no orphan while its replica starts and neither is told to be the one', async () => {
    const { rig, provider, run } = setUp({ policy: 'auto' });
    await rig.requested(1);
    provider.create(rig.keyOf(1));
    provider.create(rig.keyOf(1));
    await run(quarantineMs + UNTIL_FOUND_MS);
    expect(await rig.orphans()).toEqual([]);
  });

  test('that stands where the recorded one was is left to whoever observes the replica', async () => {
    const { rig, provider, run, key, id } = await serving({ policy: 'auto' });
    provider.things.delete(id);
    provider.create(key);
    await run(quarantineMs + UNTIL_FOUND_MS);
    expect(await rig.orphans()).toEqual([]);
    expect(provider.reaped).toEqual([]);
  });
});

describe('a thing whose owner was proven gone', () => {
  test('reopens the deletion when the same thing is seen again, and is told once', async () => {
    const { rig, provider, run, id, key } = await gone();
    await run(2 * everyMs);
    expect(rig.facts(key).at(-1)).toBe('absence-confirmed');
    provider.things.set(id, { name: key, id, seenFromMs: 0, price: null });
    await run(5 * everyMs);
    expect(rig.facts(key).slice(-2)).toEqual(['observed', 'drifted']);
    const { absence } = await rig.replica(1);
    expect(absence.confirmedAt).toBeNull();
    expect(absence.reappearedAt).toBeDefined();
    expect(await rig.orphans()).toEqual([]);
  });

  test('is an orphan when it is another thing', async () => {
    const { rig, provider, run, key } = await gone({ policy: 'auto' });
    provider.create(key);
    await run(quarantineMs + 2 * UNTIL_FOUND_MS);
    expect(await rig.orphans()).toMatchObject([{ reason: 'owner-gone', status: 'gone' }]);
    expect(provider.things.size).toBe(0);
  });

  test('is not told by an inventory that was asked for before the proof', async () => {
    const { rig, provider, controller, key, id } = await serving();
    const inventory = provider.inventory.bind(provider);
    provider.inventory = async (prefix) => {
      const listed = await inventory(prefix);
      await rig.fact(1, 'absence-observed', { by: 'key', inventoryRows: null });
      const observedAt = [new Date(0).toISOString(), new Date(0).toISOString()];
      await rig.fact(1, 'absence-confirmed', { observedAt, inventoryRows: 0 });
      await rig.deleted(1);
      return listed;
    };
    await rig.pass(controller, 'skypilot');
    expect(provider.things.has(id)).toBe(true);
    expect(rig.facts(key).at(-1)).toBe('absence-confirmed');
  });
});

describe('reaping', () => {
  test('ends nothing while the fleet is frozen', async () => {
    const { rig, provider, run } = await found({ policy: 'auto' });
    const frozen = { lost: 5, suspects: 0, serving: 6, intervalMs: 60_000, replicas: [], detail: 'many at once' };
    await rig.given('fleet/losses', { type: 'davit.fleet.frozen', data: frozen });
    await run(quarantineMs + UNTIL_FOUND_MS);
    expect(provider.reaped).toEqual([]);
    await rig.given('fleet/losses', { type: 'davit.fleet.thawed', data: { why: 'recovered', detail: '' } });
    await run(2 * everyMs);
    expect(provider.reaped).toHaveLength(1);
  });

  test('is not begun when an owner writes its first fact in the same moment', async () => {
    const { rig, provider, run } = setUp({ policy: 'auto' });
    provider.create(rig.keyOf(1));
    await run(UNTIL_FOUND_MS);
    await run(quarantineMs + UNTIL_FOUND_MS, {
      beforeAppend: async (types) => {
        if (!types[0]?.endsWith('delete-attempted') || rig.facts(`/${rig.keyOf(1)}`).length > 0) return;
        await rig.requested(1);
        await rig.fact(1, 'discovered', { attempt: 1, outcome: 'present', detail: '' });
      },
    });
    expect(provider.reaped).toEqual([]);
    expect(rig.facts('@')).toEqual(['orphan-found', 'orphan-cleared']);
  });

  test('is not carried out by a process that has lost its lease since the attempt', async () => {
    const { rig, provider, controller, run } = await found({ policy: 'auto' });
    let stolen = false;
    await run(quarantineMs, {
      afterAppend: async (types) => {
        if (stolen || !types[0]?.endsWith('delete-attempted')) return;
        stolen = true;
        await rig.stealLease(controller, 'skypilot');
        expect(provider.reaped).toEqual([]);
      },
    });
    expect(stolen).toBe(true);
    expect(rig.facts('@').slice(0, 2)).toEqual(['orphan-found', 'delete-attempted']);
    expect(rig.facts('@')[2]).not.toBe('delete-accepted');
  });

  test('that a crash cut off is asked for again by the next process, as another attempt', async () => {
    const parts = await found({ policy: 'auto' });
    const { rig, provider, run, build } = parts;
    const crashing = run(quarantineMs + UNTIL_FOUND_MS, {
      afterAppend: (types) => {
        if (types[0]?.endsWith('delete-attempted')) throw new Crash();
      },
    });
    await expect(crashing).rejects.toThrow(Crash);
    expect(provider.reaped).toEqual([]);
    parts.controller = build();
    await run(deleteRetryMs + UNTIL_FOUND_MS);
    expect(provider.reaped).toHaveLength(1);
    expect(await rig.orphans()).toMatchObject([{ status: 'gone' }]);
  });

  test('that had no effect is asked for again', async () => {
    const { rig, provider, run } = await found({ policy: 'auto' });
    provider.trouble = { unreadable: 0, lostReply: 0, lies: 1 };
    await run(quarantineMs);
    expect(rig.facts('@')).toContain('delete-accepted');
    provider.trouble = { unreadable: 0, lostReply: 0, lies: 0 };
    await run(deleteRetryMs + UNTIL_FOUND_MS);
    expect(await rig.orphans()).toMatchObject([{ status: 'gone', deletion: { outcome: 'accepted' } }]);
    expect(provider.things.size).toBe(0);
  });

  test('is beyond a backend that cannot end one thing alone, so that its orphans are only reported', async () => {
    const parts = setUp({ policy: 'auto' });
    // As a backend without the member.
    const backend = Object.assign(parts.provider, { reap: undefined }) as unknown as CrowdedProvider;
    parts.controller = parts.build(backend);
    backend.create(FOREIGN);
    await parts.run(quarantineMs + UNTIL_FOUND_MS);
    expect(await parts.rig.orphans()).toMatchObject([{ status: 'quarantined', policy: 'report' }]);
  });
});

describe('an inventory without an answer', () => {
  test('changes nothing, and raises an alarm when it lasts, which the next answer clears', async () => {
    const { rig, provider, run } = await found({ policy: 'auto' });
    provider.trouble = { unreadable: 1, lostReply: 0, lies: 0 };
    provider.things.clear();
    const before = rig.events.length;
    await run(3 * everyMs);
    expect(rig.events).toHaveLength(before);
    await run(5 * everyMs);
    expect(await rig.alarms('inventory-unreadable')).toEqual(['skypilot']);
    expect(rig.facts('@')).toEqual(['orphan-found']);
    provider.trouble = { unreadable: 0, lostReply: 0, lies: 0 };
    await run(2 * everyMs);
    expect(await rig.alarms('inventory-unreadable')).toEqual([]);
  });
});

describe('the schedule', () => {
  test('asks the provider once an interval, however often the key is woken', async () => {
    const { provider, run } = setUp();
    await run(10 * everyMs);
    expect(provider.inventories).toBeGreaterThanOrEqual(8);
    expect(provider.inventories).toBeLessThanOrEqual(13);
  });

  test('looks at every backend whose things are ours to end, and at no other', () => {
    const { controller, provider } = setUp();
    expect(controller.standingKeys).toEqual(['skypilot']);
    const direct = Object.assign(Object.create(provider) as CrowdedProvider, { adapter: 'direct', releases: true });
    const backends = createBackendRegistry([direct]);
    expect(inventoryController({ backends, installation: 'test', random: seededRandom(1) }).standingKeys).toEqual([]);
  });

  test('is woken by what happens to an orphan of its backend', () => {
    const { controller } = setUp();
    expect(controller.keysOf({ kind: 'orphan', key: 'x' }, { adapter: 'skypilot' })).toEqual(['skypilot']);
    expect(controller.keysOf({ kind: 'orphan', key: 'x' }, { adapter: 'vast-serverless' })).toEqual([]);
    expect(controller.keysOf({ kind: 'replica', key: 'x' }, { adapter: 'skypilot' })).toEqual([]);
  });
});
