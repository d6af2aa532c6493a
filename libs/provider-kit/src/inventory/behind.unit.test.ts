import { expect, test } from '@jest/globals';
import { checkLaws, orphanKeyOf } from '@davit/domain';
import { seededRandom } from '@davit/ports';
import { createBackendRegistry } from '../registry.js';
import { CrowdedProvider, NO_CROWD_TROUBLE } from '../testing/crowded-provider.js';
import { FleetRig, INSTALLATION } from '../testing/fleet-rig.js';
import { DEFAULT_INVENTORY_RULES, inventoryController } from './inventory-controller.js';

/** A provider that can show the things of one name as one row, as a tool does that has forgotten which of them is in use. */
class Forgetful extends CrowdedProvider {
  forgets = false;
  override async inventory(prefix: string): ReturnType<CrowdedProvider['inventory']> {
    const listed = await super.inventory(prefix);
    const [first] = listed.outcome === 'listed' && this.forgets ? listed.rows : [];
    return first && listed.outcome === 'listed'
      ? { ...listed, rows: [{ ...first, providerId: 'record', behind: listed.rows }] }
      : listed;
  }
}

test('an orphan that was told apart and cannot be now is not gone, and is ended once it is told apart again', async () => {
  const rig = new FleetRig();
  const provider = new Forgetful(() => rig.clock.nowMs(), seededRandom(1));
  const controller = inventoryController({
    backends: createBackendRegistry([provider]),
    installation: INSTALLATION,
    random: seededRandom(2),
    rules: { ...DEFAULT_INVENTORY_RULES, policy: 'auto' },
  });
  const run = async (minutes: number): Promise<void> => {
    for (let passed = 0; passed < minutes * 60_000; passed += 5_000) {
      await rig.clock.advance(5_000);
      await rig.pass(controller, 'skypilot');
    }
  };
  await rig.requested(1);
  const [own, other] = [provider.create(rig.keyOf(1)), provider.create(rig.keyOf(1))];
  const up = { phase: 'up', url: 'http://10.0.0.1:8000', providerId: own, price: null, class: null, detail: '' };
  await rig.fact(1, 'observed', up);
  provider.trouble = { ...NO_CROWD_TROUBLE, lies: 1 };
  await run(20);
  const key = orphanKeyOf('skypilot', rig.keyOf(1), other);
  expect(await rig.orphans()).toMatchObject([{ key, status: 'reaping', reason: 'duplicate' }]);

  provider.forgets = true;
  const attempts = rig.facts(key).length;
  await run(20);
  expect(rig.facts(key).slice(attempts)).toEqual([]);
  expect(await rig.orphans()).toMatchObject([{ key, status: 'reaping' }]);

  provider.forgets = false;
  provider.trouble = NO_CROWD_TROUBLE;
  await run(5);
  expect(provider.reaped.map(({ id }) => id)).toEqual([other]);
  expect([...provider.things.keys()]).toEqual([own]);
  expect(await rig.orphans()).toMatchObject([{ key, status: 'gone' }]);
  expect(checkLaws(rig.events, { ended: false })).toEqual([]);
});
