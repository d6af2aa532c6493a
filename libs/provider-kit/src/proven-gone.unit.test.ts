import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RESOURCE_TIMINGS } from '@davit/domain';
import { createBackendRegistry } from './registry.js';
import { resourceController } from './resource-controller.js';
import { Rig } from './testing/rig.js';
import { ScriptedBackend, up } from './testing/scripted-backend.js';

const { absenceSpacingMs, visibilityMs } = DEFAULT_RESOURCE_TIMINGS;

function setUp() {
  const backend = new ScriptedBackend();
  const controller = resourceController({ backends: createBackendRegistry([backend]) });
  return { backend, controller, rig: new Rig() };
}

/** A replica whose resource serves. */
async function serving() {
  const parts = setUp();
  await parts.rig.requested();
  await parts.rig.settle(parts.controller);
  await parts.rig.launchRequested();
  await parts.rig.settle(parts.controller);
  await parts.rig.run(parts.controller, visibilityMs + 1_000, 5_000);
  parts.backend.calls.length = 0;
  return parts;
}

describe('what is proven gone and not given up yet', () => {
  async function gone() {
    const parts = await serving();
    const { rig, backend, controller } = parts;
    backend.answer({ observe: { outcome: 'absent' }, inventory: { outcome: 'listed', rows: [], sources: ['script'] } });
    await rig.settle(controller);
    await rig.run(controller, absenceSpacingMs + 2_000);
    expect(rig.replica.absence.confirmedAt).not.toBeNull();
    return parts;
  }

  test('is proven once, however long it is looked at', async () => {
    const { rig, controller } = await gone();
    const told = rig.facts().length;
    await rig.run(controller, 10 * absenceSpacingMs, 5_000);
    expect(rig.facts()).toHaveLength(told);
  });

  test('was not gone when it is seen again', async () => {
    const { rig, backend, controller } = await gone();
    backend.answer({ observe: up() });
    await rig.settle(controller);
    expect(rig.facts()).toContain('observed');
    expect(rig.replica.absence).toMatchObject({ confirmedAt: null, observedAt: [] });
  });
});
