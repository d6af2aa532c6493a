import { afterEach, describe, expect, test } from '@jest/globals';
import { RolloutRig } from './testing/rollout-rig.js';

const rigs: RolloutRig[] = [];
afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.end())));
const begun = (rig: RolloutRig): Promise<RolloutRig> => {
  rigs.push(rig);
  return rig.serving();
};

const GOOD_STORY = [
  ...['started', 'template-recorded', 'canary-requested', 'candidate-proved', 'bounds-set', 'bounds-applied'],
  ...['load-attempted', 'load-profile-run', 'load-attempted', 'load-profile-run', 'load-attempted', 'load-profile-run'],
  ...['canary-removal-requested', 'canary-removed', 'baseline-recorded', 'approval-requested'],
  ...['update-attempted', 'update-triggered', 'converged', 'verdict-reached', 'accepted'],
];

describe('a candidate that is as good as what serves', () => {
  test('proves itself, is approved, takes over worker by worker, and stays', async () => {
    const rig = await begun(new RolloutRig());
    await rig.candidate();
    await rig.approve();
    await rig.until('davit.rollout.accepted');
    const { workers, leaked } = rig.world.vast.truth();
    expect(workers.map(({ template }) => template.hash)).toEqual(workers.map(() => rig.candidateHash));
    expect(leaked).toBe(0);
    expect(await rig.broken()).toEqual([]);
    const story = await rig.story();
    expect(story.filter((name) => name !== 'worker-observed')).toEqual(GOOD_STORY);
  });
});
