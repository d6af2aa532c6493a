import { strict as assert } from 'node:assert';
import type { RolloutRig } from '../testing/rollout-rig.js';
import { assertAlone, assertServes, changesOfProduction, endsRolledBack } from './expect.js';
import type { Scenario } from './scenario.js';

/** Whatever it is told, it comes to an end that has touched nothing, and says why. */
async function endsUntouched(rig: RolloutRig): Promise<void> {
  await rig.candidate();
  const { data } = await rig.until('davit.rollout.rejected');
  assert.ok(data.reason === 'access-denied' || data.reason === 'candidate-failed' || data.reason === 'deadline');
  assert.ok(data.detail.length > 0);
  assert.deepEqual(changesOfProduction(rig), []);
  assertServes(rig, rig.world.vast.standardTemplateHash);
  assertAlone(rig);
}

/** What Vast may turn out to refuse altogether: then no candidate can be proved, and nothing is claimed. */
export const CLOSED_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a host of workers that opens to no key with permissions ends the candidate before production is touched',
    wish: { isScoped: true },
    async play(rig) {
      rig.world.vast.options.runScopedKeys = 'refused';
      await endsUntouched(rig);
    },
  },
  {
    title: 'workergroups that only the account itself may make end the candidate before production is touched',
    wish: { isScoped: true },
    async play(rig) {
      rig.world.vast.options.workergroupNeeds = 'admin-and-deposit';
      await endsUntouched(rig);
    },
  },
  {
    title: 'a text in the place of every list of workers ends the candidate before production is touched',
    async play(rig) {
      rig.world.vast.options.workersShape = 'string';
      await endsUntouched(rig);
    },
  },
  {
    title: 'a text in the place of lists of workers while production changes is no proof of anything, forth or back',
    async play(rig) {
      await rig.candidate();
      await rig.approve();
      await rig.until('davit.rollout.update-triggered');
      rig.world.vast.options.workersShape = 'string';
      await rig.until('davit.rollout.rollback-attempted');
      await rig.pass(120_000);
      const story = await rig.story();
      assert.ok(!story.includes('converged') && !story.includes('rolled-back'), story.join(' '));
      rig.world.vast.options.workersShape = 'array';
      await endsRolledBack(rig, 'not-converged');
    },
  },
];
