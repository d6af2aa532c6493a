import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RESOURCE_TIMINGS, externalKeyPrefix } from '@davit/domain';
import { createBackendRegistry } from './registry.js';
import { resourceController } from './resource-controller.js';
import { Crash, Rig } from './testing/rig.js';
import { ScriptedBackend, up } from './testing/scripted-backend.js';
import { serving, setUp } from './testing/serving.js';

const { absenceSpacingMs, deleteRetryMs, launchMs, lookMs, visibilityMs } = DEFAULT_RESOURCE_TIMINGS;
const UNKNOWN = { outcome: 'unknown', detail: 'timed out' } as const;

describe('discovery', () => {
  test('what is found is written once, however often it is looked for', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.pass(controller);
    expect(rig.facts()).toEqual(['discovered']);
    expect(rig.replica.discovery.outcome).toBe('absent');
    expect(backend.count('ensure')).toBe(0);
  });

  test('an unknown outcome is written once and looked at again, each time later', async () => {
    const { rig, backend, controller } = setUp();
    backend.answer({ discover: UNKNOWN });
    await rig.requested();
    const first = await rig.settle(controller);
    await rig.clock.advance(8_000);
    const later = await rig.pass(controller);
    expect(rig.facts()).toEqual(['discovered']);
    expect(first.requeueAfterMs).toBe(lookMs);
    expect(later.requeueAfterMs).toBe(8_000);
    backend.answer({ discover: { outcome: 'present', handle: null, detail: '' } });
    await rig.settle(controller);
    expect(rig.replica.discovery.outcome).toBe('present');
  });
});

describe('launching', () => {
  test('the attempt is in the log before the provider is asked, with the epoch of the lease', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    let written: string[] = [];
    backend.during = (call) => {
      if (call === 'ensure') written = rig.facts();
    };
    await rig.settle(controller);
    expect(written.at(-1)).toBe('launch-attempted');
    expect(rig.facts()).toEqual(['discovered', 'launch-attempted', 'launch-accepted', 'observed']);
    expect(rig.events.find(({ type }) => type === 'davit.resource.launch-attempted')?.data).toMatchObject({
      leaseEpoch: 1,
      attempt: 1,
      placement: { cloud: 'runpod' },
    });
    expect(rig.replica.launch).toMatchObject({ outcome: 'accepted', handle: 'request-1' });
  });

  test.each([
    [{ outcome: 'refused', class: 'config', detail: 'no image' } as const, 'refused'],
    [UNKNOWN, 'unknown'],
  ])('an answer of %o becomes the outcome of the attempt', async (ensure, outcome) => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    backend.answer({ ensure });
    await rig.pass(controller);
    expect(rig.replica.launch?.outcome).toBe(outcome);
  });

  test('a backend that throws leaves the outcome unknown', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    backend.during = (call) => {
      if (call === 'ensure') throw new Error('defect');
    };
    await rig.pass(controller);
    expect(rig.replica.launch?.outcome).toBe('unknown');
  });

  test('a lease lost between the attempt and the call keeps the call from being made', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    await rig.pass(controller, { afterAppend: () => rig.stealLease() });
    expect(rig.facts().at(-1)).toBe('launch-attempted');
    expect(backend.count('ensure')).toBe(0);
  });

  test('an owner whose lease has expired attempts nothing', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    await rig.pass(controller, { beforePass: () => rig.stealLease() });
    expect(rig.facts()).toEqual(['discovered']);
    expect(backend.count('ensure')).toBe(0);
  });

  test('a read model that lags behind cannot launch a second time', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    const model = rig.frozenModel();
    await rig.pass(controller, { model });
    await rig.pass(controller, { model });
    await rig.pass(controller, { model });
    expect(backend.count('ensure')).toBe(1);
    expect(rig.facts().filter((fact) => fact === 'launch-attempted')).toHaveLength(1);
  });

  test('a replica that was told to go is not launched, also where the read model has not heard of it', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    const model = rig.frozenModel();
    await rig.deleteRequested();
    await rig.pass(controller, { model });
    expect(rig.facts()).toEqual(['discovered']);
    expect(backend.count('ensure')).toBe(0);
  });
});

describe('a launch without an answer', () => {
  async function crashed(at: 'before the call' | 'after the call') {
    const parts = setUp();
    const { rig, controller } = parts;
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    const crash = (): never => {
      throw new Crash();
    };
    if (at === 'before the call') await expect(rig.pass(controller, { afterAppend: crash })).rejects.toThrow(Crash);
    else {
      await expect(
        rig.pass(controller, { afterAppend: (types) => (types[0]?.endsWith('accepted') ? crash() : undefined) }),
      ).rejects.toThrow(Crash);
    }
    return parts;
  }

  test('a crash between attempt and call is resolved by looking, and given up only when no program that was left can still carry it out', async () => {
    const { rig, backend, controller } = await crashed('before the call');
    expect(rig.replica.launch?.outcome).toBe('attempted');
    await rig.run(controller, launchMs + visibilityMs - 2_000, 2_000);
    expect(rig.replica.launch?.outcome).toBe('attempted');
    await rig.run(controller, 4_000);
    expect(rig.replica.launch).toMatchObject({ outcome: 'refused', class: 'transient' });
    expect(backend.count('ensure')).toBe(0);
  });

  test('a launch that happened although its answer was lost is found, and never repeated', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    backend.answer({ ensure: UNKNOWN, discover: { outcome: 'present', handle: 'request-7', detail: '' } });
    await rig.settle(controller);
    expect(rig.facts()).toEqual(['discovered', 'launch-attempted', 'launch-unknown', 'launch-accepted', 'observed']);
    expect(rig.events.find(({ type }) => type === 'davit.resource.launch-accepted')?.data).toMatchObject({
      resolvedBy: 'discovery',
      handle: 'request-7',
    });
    expect(backend.count('ensure')).toBe(1);
  });

  test('a crash after the accepted outcome goes on with observing', async () => {
    const { rig, backend, controller } = await crashed('after the call');
    await rig.settle(controller);
    expect(rig.replica.launch?.outcome).toBe('accepted');
    expect(backend.count('ensure')).toBe(1);
    expect(rig.replica.resource?.phase).toBe('up');
  });

  test('a provider that cannot be asked decides nothing, however long it lasts', async () => {
    const { rig, backend, controller } = await crashed('before the call');
    backend.answer({ discover: UNKNOWN });
    await rig.run(controller, 10 * visibilityMs, 10_000);
    expect(rig.replica.launch?.outcome).toBe('attempted');
    backend.answer({ discover: { outcome: 'present', handle: 'r', detail: '' } });
    await rig.settle(controller);
    expect(rig.replica.launch?.outcome).toBe('accepted');
  });
});

describe('observing', () => {
  test('only changes become events', async () => {
    const { rig, backend, controller } = await serving();
    const before = rig.facts().length;
    await rig.run(controller, 60_000, 15_000);
    expect(rig.facts()).toHaveLength(before);
    backend.answer({ observe: up({ detail: 'UP in another zone' }) });
    await rig.settle(controller);
    expect(rig.facts()).toHaveLength(before + 1);
    expect(rig.replica.resource?.detail).toBe('UP in another zone');
  });

  test('a price that a provider tells is a change, the same amount in other digits is none', async () => {
    const { rig, backend, controller } = await serving();
    const price = { currency: 'USD', unit: 'instance-hour', kind: 'billed', source: 'test' } as const;
    const observedAt = new Date(rig.clock.nowMs()).toISOString();
    backend.answer({ observe: up({ price: { ...price, amount: '1.50', observedAt } }) });
    await rig.settle(controller);
    const before = rig.facts().length;
    backend.answer({ observe: up({ price: { ...price, amount: '1.5', observedAt } }) });
    await rig.settle(controller);
    expect(rig.facts()).toHaveLength(before);
    expect(rig.replica.price?.amount).toBe('1.50');
  });

  test('right after the launch, not to be seen is not to be absent', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    backend.answer({ observe: { outcome: 'absent' } });
    await rig.settle(controller);
    await rig.run(controller, visibilityMs - 1_000);
    expect(rig.facts()).not.toContain('absence-observed');
    await rig.run(controller, 2_000);
    expect(rig.facts()).toContain('absence-observed');
  });

  test('what was seen stays while a provider cannot be asked for a moment, and is unknown when that lasts', async () => {
    const { rig, backend, controller } = await serving();
    const before = rig.facts().length;
    backend.answer({ observe: UNKNOWN });
    await rig.run(controller, 60_000, 15_000);
    expect(rig.facts()).toHaveLength(before);
    await rig.run(controller, 120_000, 15_000);
    expect(rig.facts()).toHaveLength(before + 1);
    expect(rig.replica.resource).toMatchObject({ phase: 'unknown', url: 'http://10.0.0.1:8000', providerId: 'hash-1' });
    expect(rig.replica.resource?.detail).toMatch(/^not seen since .*: timed out$/);
    backend.answer({ observe: up() });
    await rig.settle(controller);
    expect(rig.replica.resource?.phase).toBe('up');
    expect(rig.facts()).toHaveLength(before + 2);
  });

  test('what vanishes behind our back is proven gone by two spaced looks and an inventory', async () => {
    const { rig, backend, controller } = await serving();
    backend.answer({ observe: { outcome: 'absent' }, inventory: { outcome: 'listed', rows: [], sources: ['script'] } });
    await rig.settle(controller);
    expect(rig.facts().at(-1)).toBe('absence-observed');
    await rig.run(controller, absenceSpacingMs - 1_000);
    expect(rig.facts()).not.toContain('absence-confirmed');
    await rig.run(controller, 2_000);
    expect(rig.facts().slice(-3)).toEqual(['absence-observed', 'absence-confirmed', 'drifted']);
    expect(backend.calls).toContain(`prefix ${externalKeyPrefix('test')}`);
  });
});

describe('deleting', () => {
  async function deleting() {
    const parts = await serving();
    await parts.rig.deleteRequested();
    return parts;
  }

  test('the attempt is in the log before the call, and acceptance proves nothing', async () => {
    const { rig, backend, controller } = await deleting();
    await rig.run(controller, 2 * absenceSpacingMs);
    expect(rig.facts().slice(-2)).toEqual(['delete-attempted', 'delete-accepted']);
    expect(rig.replica.absence).toMatchObject({ observedAt: [], confirmedAt: null });
    expect(backend.count('delete')).toBe(1);
  });

  test('a deletion without effect is asked for again', async () => {
    const { rig, backend, controller } = await deleting();
    await rig.run(controller, deleteRetryMs + 5_000);
    expect(backend.count('delete')).toBe(2);
    expect(rig.replica.deletion?.attempt).toBe(2);
  });

  test('a thing that comes back after it was gone is deleted again at once', async () => {
    const { rig, backend, controller } = await deleting();
    await rig.settle(controller);
    await rig.clock.advance(1_000);
    backend.answer({ observe: { outcome: 'absent' } });
    await rig.settle(controller);
    expect(rig.replica.absence.observedAt).toHaveLength(1);
    await rig.clock.advance(absenceSpacingMs);
    backend.answer({ observe: up() });
    await rig.settle(controller);
    expect(rig.facts().slice(-3)).toEqual(['observed', 'delete-attempted', 'delete-accepted']);
    expect(rig.replica.absence.observedAt).toEqual([]);
    backend.answer({ observe: { outcome: 'absent' } });
    await rig.run(controller, 2 * absenceSpacingMs);
    expect(rig.replica.absence.confirmedAt).not.toBeNull();
    expect(backend.count('delete')).toBe(2);
  });

  test('a thing that was launched a moment ago and is not to be seen is not gone', async () => {
    const { rig, backend, controller } = setUp();
    await rig.requested();
    await rig.settle(controller);
    await rig.launchRequested();
    await rig.pass(controller);
    await rig.deleteRequested();
    backend.answer({ observe: { outcome: 'absent' } });
    await rig.run(controller, visibilityMs - 2_000);
    expect(rig.facts().at(-1)).toBe('delete-accepted');
    await rig.run(controller, 2 * absenceSpacingMs);
    expect(rig.facts().at(-1)).toBe('absence-confirmed');
  });

  test('an inventory that cannot be read, or that still lists the thing, proves nothing', async () => {
    const { rig, backend, controller } = await deleting();
    backend.answer({ observe: { outcome: 'absent' }, inventory: UNKNOWN });
    await rig.run(controller, 3 * absenceSpacingMs);
    expect(rig.facts()).not.toContain('absence-confirmed');
    const seen = { phase: 'up', source: 'script', price: null, detail: '' } as const;
    const row = { externalKey: rig.externalKey, providerId: 'hash-1', ...seen };
    backend.answer({ inventory: { outcome: 'listed', rows: [row], sources: ['script'] } });
    await rig.run(controller, 30_000);
    expect(rig.facts()).not.toContain('absence-confirmed');
    expect(rig.replica.absence.observedAt.length).toBeLessThan(2);
    expect(backend.count('delete')).toBeGreaterThan(1);
    const others = { externalKey: 'dv-somebody-else', providerId: null, ...seen };
    backend.answer({ inventory: { outcome: 'listed', rows: [others], sources: ['script'] } });
    await rig.run(controller, 3 * absenceSpacingMs);
    expect(rig.events.find(({ type }) => type === 'davit.resource.absence-confirmed')?.data).toMatchObject({
      inventoryRows: 1,
      inventorySources: ['script'],
    });
  });

  test('a provider that cannot be asked for long is told of once, so that nobody waits for a proof unawares', async () => {
    const { rig, backend, controller } = await deleting();
    await rig.settle(controller);
    backend.answer({ observe: UNKNOWN });
    await rig.run(controller, 90_000, 5_000);
    const sights = rig.facts().filter((name) => name === 'observed').length;
    expect(rig.replica.resource).toMatchObject({ phase: 'unknown', detail: expect.stringContaining('timed out') });
    await rig.run(controller, 90_000, 5_000);
    expect(rig.facts().filter((name) => name === 'observed')).toHaveLength(sights);
  });

  test('after a crash in the middle of a deletion the proof of absence goes on from the log', async () => {
    const { rig, backend, controller } = await deleting();
    const crash = (): never => {
      throw new Crash();
    };
    await expect(rig.pass(controller, { afterAppend: crash })).rejects.toThrow(Crash);
    expect(rig.replica.deletion?.outcome).toBe('attempted');
    expect(backend.count('delete')).toBe(0);
    await rig.run(controller, deleteRetryMs + 2_000);
    expect(backend.count('delete')).toBe(1);
  });

  test('a lease lost after the attempt keeps the deletion from being asked for', async () => {
    const { rig, backend, controller } = await deleting();
    await rig.pass(controller, { afterAppend: () => rig.stealLease() });
    expect(rig.facts().at(-1)).toBe('delete-attempted');
    expect(backend.count('delete')).toBe(0);
  });

  test('what is not ours is let go and never deleted', async () => {
    const backend = Object.assign(new ScriptedBackend(), { releases: true });
    const controller = resourceController({ backends: createBackendRegistry([backend]) });
    const rig = await new Rig().requested();
    await rig.settle(controller);
    await rig.launchRequested();
    await rig.settle(controller);
    await rig.deleteRequested();
    await rig.settle(controller);
    expect(rig.facts().at(-1)).toBe('released');
    expect(rig.replica.absence.released).toBe(true);
    expect(backend.count('delete')).toBe(0);
  });
});

describe('keys', () => {
  test('only replicas of bound adapters that may still have a resource are looked at', () => {
    const { controller } = setUp();
    const ref = { kind: 'replica', key: 'default/qwen-1-0-1' };
    expect(controller.keysOf(ref, { adapter: 'skypilot', status: 'launching' })).toEqual([ref.key]);
    expect(controller.keysOf(ref, { adapter: 'skypilot', status: 'deleted' })).toEqual([]);
    expect(controller.keysOf(ref, { adapter: 'another', status: 'launching' })).toEqual([]);
    expect(controller.keysOf({ kind: 'deployment', key: 'x' }, { adapter: 'skypilot' })).toEqual([]);
    expect(controller.keysOf(ref, undefined)).toEqual([]);
  });

  test('an adapter name is bound once', () => {
    expect(() => createBackendRegistry([new ScriptedBackend(), new ScriptedBackend()])).toThrow(/bound twice/);
  });
});
