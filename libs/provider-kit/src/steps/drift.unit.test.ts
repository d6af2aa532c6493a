import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RESOURCE_TIMINGS } from '@davit/domain';
import type { Observation } from '../backend.js';
import { createBackendRegistry } from '../registry.js';
import { resourceController } from '../resource-controller.js';
import { Rig } from '../testing/rig.js';
import { ScriptedBackend, up } from '../testing/scripted-backend.js';

const { absenceSpacingMs, visibilityMs } = DEFAULT_RESOURCE_TIMINGS;

async function launched(first: Partial<Observation> = {}) {
  const backend = new ScriptedBackend();
  const controller = resourceController({ backends: createBackendRegistry([backend]) });
  const rig = new Rig();
  backend.answer({ observe: up(first) });
  await rig.requested();
  await rig.settle(controller);
  await rig.launchRequested();
  await rig.settle(controller);
  await rig.run(controller, visibilityMs + 1_000, 5_000);
  /** The provider shows this from now on; what is written because of it. */
  const shows = async (changes: Partial<Observation>): Promise<string[]> => {
    const before = rig.facts().length;
    backend.answer({ observe: up(changes) });
    await rig.settle(controller);
    await rig.run(controller, 60_000, 15_000);
    return rig.facts().slice(before);
  };
  const last = (fact: string): unknown => rig.events.findLast(({ type }) => type.endsWith(`.${fact}`))?.data;
  return { backend, controller, rig, shows, last };
}

describe('a change that nobody here asked for', () => {
  test('another thing under the name is not ours: its replica has lost its own, which is told once', async () => {
    const { rig, shows, last } = await launched();
    expect(await shows({ providerId: 'hash-2' })).toEqual(['observed', 'drifted']);
    expect(last('drifted')).toMatchObject({
      what: 'replaced',
      was: expect.stringContaining('hash-1, up at ') as unknown,
    });
    expect(last('drifted')).toMatchObject({ is: 'hash-2, up' });
    expect(rig.replica.resource).toMatchObject({ phase: 'failed', class: 'not-found', providerId: 'hash-1' });
    expect(rig.replica.resource?.drift?.what).toBe('replaced');
    expect(await shows({ providerId: 'hash-2', detail: 'UP, and otherwise new' })).toEqual([]);
    expect(await shows({ providerId: 'hash-1' })).toEqual(['observed']);
    expect(rig.replica.resource?.phase).toBe('up');
  });

  test('while it starts, a provider may give it one identity after another', async () => {
    const { rig, shows } = await launched({ phase: 'provisioning', url: null });
    expect(await shows({ phase: 'provisioning', url: null, providerId: 'hash-2' })).toEqual(['observed']);
    expect(rig.replica.resource).toMatchObject({ phase: 'provisioning', providerId: 'hash-2' });
  });

  test('settings that were changed are told once for each change, with what was wanted', async () => {
    const { shows, last, rig } = await launched();
    const changed = { was: 'max_workers 4', is: 'max_workers 20' };
    expect(await shows({ changed })).toEqual(['drifted']);
    expect(last('drifted')).toMatchObject({ what: 'changed', ...changed });
    expect(rig.replica.resource).toMatchObject({ phase: 'up', drift: { what: 'changed', is: 'max_workers 20' } });
    expect(await shows({ changed })).toEqual([]);
    expect(await shows({ changed: { was: 'max_workers 4', is: 'max_workers 16' } })).toEqual(['drifted']);
  });

  test('what was stopped is told with what it was', async () => {
    const { shows, last } = await launched();
    expect(await shows({ phase: 'stopped', detail: 'STOPPED' })).toEqual(['observed', 'drifted']);
    expect(last('drifted')).toMatchObject({ what: 'stopped', is: 'stopped', detail: 'STOPPED' });
    expect(await shows({ phase: 'stopped', detail: 'STOPPED still' })).toEqual(['observed']);
  });

  test('a record that the renting tool has lost is told once, and costs nothing that serves', async () => {
    const { rig, shows, last } = await launched();
    const recordLost = { source: 'cloud', providerId: 'cloud:7' };
    expect(await shows({ recordLost })).toEqual(['drifted']);
    expect(last('drifted')).toMatchObject({ what: 'record-lost', is: 'cloud:7, which only cloud shows' });
    expect(rig.replica.resource?.phase).toBe('up');
    expect(await shows({ recordLost, detail: 'by the cloud' })).toEqual(['observed']);
  });

  test('what vanished is told with its proof; what was deleted from here did not vanish', async () => {
    const ours = await launched();
    ours.backend.answer({ observe: { outcome: 'absent' } });
    await ours.rig.deleteRequested();
    await ours.rig.run(ours.controller, 3 * absenceSpacingMs);
    expect(ours.rig.facts().at(-1)).toBe('absence-confirmed');

    const theirs = await launched();
    theirs.backend.answer({ observe: { outcome: 'absent' } });
    await theirs.rig.run(theirs.controller, 3 * absenceSpacingMs);
    expect(theirs.rig.facts().slice(-2)).toEqual(['absence-confirmed', 'drifted']);
    expect(theirs.last('drifted')).toMatchObject({ what: 'vanished', is: 'gone', detail: 'not listed by script' });
    expect(theirs.rig.replica.resource?.drift?.what).toBe('vanished');
  });
});

describe('a start that is stuck', () => {
  const diagnosis = {
    boundary: 'image-pull',
    class: 'config',
    detail: 'manifest unknown',
    remedy: 'Correct the image.',
  } as const;
  const starting = { phase: 'provisioning', url: null } as const;

  test('is explained once, again when the explanation changes, and no longer once it is up', async () => {
    const { rig, backend, shows } = await launched(starting);
    const launches = backend.count('ensure');
    expect(await shows({ ...starting, diagnosis })).toEqual(['diagnosed']);
    expect(rig.replica.resource?.diagnosis).toMatchObject({ boundary: 'image-pull', remedy: 'Correct the image.' });
    expect(await shows({ ...starting, diagnosis: { ...diagnosis, detail: 'manifest unknown, try 7' } })).toEqual([]);
    expect(await shows({ ...starting, diagnosis: { ...diagnosis, boundary: 'disk-full' } })).toEqual(['diagnosed']);
    expect(rig.replica.resource?.diagnosis?.boundary).toBe('disk-full');
    expect(await shows({ diagnosis })).toEqual(['observed']);
    expect(rig.replica.resource?.diagnosis).toBeUndefined();
    expect(backend.count('ensure')).toBe(launches);
    expect(backend.count('delete')).toBe(0);
  });
});
