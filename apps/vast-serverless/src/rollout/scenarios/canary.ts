import { strict as assert } from 'node:assert';
import { dataOf, endsRejected } from './expect.js';
import type { Scenario } from './scenario.js';

/** What a canary may come to. Production is untouched in each of them. */
export const CANARY_SCENARIOS: readonly Scenario[] = [
  {
    title: 'a clean canary proves itself on the candidate alone, and is gone once an operator wants no more of it',
    async play(rig) {
      await rig.candidate();
      const { data } = await rig.until('davit.rollout.candidate-proved');
      assert.equal(new Set(data.outputs.map(({ prompt }) => prompt)).size, 3, 'each recorded prompt was asked');
      assert.ok(data.outputs.every(({ output }) => /^[0-9a-f]{64}$/.test(output)));
      const canary = rig.world.vast.truth().workers.filter(({ template }) => template.hash === rig.candidateHash);
      assert.ok(canary.length > 0 && canary.length <= 2, `${canary.length} workers of the canary`);
      await rig.word('aborted', data.evidenceDigest);
      await endsRejected(rig, 'operator-aborted');
    },
  },
  {
    title: 'a canary that never loads is given up at its deadline, and nothing is written to production',
    async play(rig) {
      rig.world.vast.arm({ kind: 'never-loads', on: { template: rig.candidateHash } });
      await rig.candidate();
      await endsRejected(rig, 'deadline', /did not prove itself/);
      assert.deepEqual(await dataOf(rig, 'davit.rollout.candidate-proved'), []);
    },
  },
  {
    title: 'a canary that answers otherwise than was recorded is no candidate',
    async play(rig) {
      rig.spoil('schema');
      await rig.candidate();
      await endsRejected(rig, 'candidate-failed', /response-schema/);
    },
  },
  {
    title: 'three ramps converge, within their caps, and each of them is kept',
    async play(rig) {
      await rig.candidate();
      await rig.until('davit.rollout.baseline-recorded');
      const runs = await dataOf(rig, 'davit.rollout.load-profile-run');
      assert.deepEqual(
        runs.map(({ ramp, converged }) => [ramp, converged]),
        [
          [1, false],
          [2, runs[1]?.converged],
          [3, true],
        ],
      );
      const kept = new Set(rig.evidence.kept.map(({ digest }) => digest));
      assert.ok(runs.every(({ evidenceDigest }) => kept.has(evidenceDigest)));
      await rig.until('davit.rollout.canary-removed');
    },
  },
  {
    title: 'ramps that never converge end the candidate before production is touched',
    async play(rig) {
      await rig.candidate();
      for (const ramp of [1, 2, 3]) {
        await rig.until('davit.rollout.load-attempted', ({ data }) => 'ramp' in data && data.ramp === ramp);
        await rig.pass(5_000);
        const { vast } = rig.world;
        const busy = vast
          .truth()
          .workers.find((one) => one.template.hash === rig.candidateHash && one.status === 'idle');
        vast.arm({ kind: 'host-vanishes', on: { worker: busy?.id ?? 0 } });
      }
      await endsRejected(rig, 'load-not-converged');
    },
  },
];
