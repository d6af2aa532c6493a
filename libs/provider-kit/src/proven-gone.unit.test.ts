import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RESOURCE_TIMINGS } from '@davit/domain';
import { up } from './testing/scripted-backend.js';
import { serving } from './testing/serving.js';

const { absenceSpacingMs } = DEFAULT_RESOURCE_TIMINGS;

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
