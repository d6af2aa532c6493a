import { afterEach, describe, expect, test } from '@jest/globals';
import { dataOf, endsAccepted } from './scenarios/expect.js';
import { heldBy } from './scenarios/scenario.js';
import { DEFAULT_ROLLOUT_PACE } from './pace.js';
import { RolloutRig } from './testing/rollout-rig.js';

/** As deployed: looks are further apart than a lease lasts. */
const { lookMs, orphanedLoadMs } = DEFAULT_ROLLOUT_PACE;
const LEASE = 'vast-serverless/rollout/default/qwen';
const PATIENT = { canary: { maxSpend: '5.00', maxWorkers: 2, deadline: '5m', removalDeadline: '2m' } };
const CRASHES = 3;

describe('a rollout on evidence that two instances are there for', () => {
  let rig: RolloutRig;
  afterEach(() => rig.end());

  const both = async (): Promise<RolloutRig> => {
    rig = await new RolloutRig({ pace: { lookMs, orphanedLoadMs }, rollout: PATIENT }).serving();
    rig.other.start();
    return rig.candidate();
  };
  const attempts = async (): Promise<readonly (readonly [number, number])[]> =>
    (await dataOf(rig, 'davit.rollout.load-attempted')).map(({ ramp, attempt }) => [ramp, attempt] as const);

  test('load stays with the one that sends it, and nothing is interrupted or sent twice', async () => {
    await both();
    await rig.approve();
    await endsAccepted(rig);
    expect(await dataOf(rig, 'davit.rollout.load-aborted')).toEqual([]);
    expect(await attempts()).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(await heldBy(rig)).toEqual([]);
  });

  test('whoever takes over after a crash in the middle of a ramp runs it anew, as often as that happens', async () => {
    await both();
    const instances = [rig.service, rig.other];
    for (let attempt = 1; attempt <= CRASHES; attempt++) {
      const { data } = await rig.until(
        'davit.rollout.load-attempted',
        (event) => 'ramp' in event.data && event.data.attempt === attempt && event.data.ramp === 3,
      );
      await rig.pass(4_000);
      const holds = instances.map(({ instanceId: holder }) =>
        rig.stage.leases.holds({ name: LEASE, holder, epoch: data.leaseEpoch }),
      );
      const holder = instances[(await Promise.all(holds)).indexOf(true)];
      holder?.crash();
      holder?.start();
    }
    await rig.approve();
    await endsAccepted(rig);
    expect(await attempts()).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [3, 2],
      [3, 3],
      [3, 4],
    ]);
    expect(await heldBy(rig)).toEqual([]);
  });
});
