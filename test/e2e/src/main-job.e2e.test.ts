import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RecordedEvent } from '@davit/contracts';
import { LAWS, checkAgainst } from '@davit/domain';
import { readLog } from './log-reader.js';
import { externalKeyOf, machinesByReplica, unannounced } from './testing/machines.js';
import { DONE_WELL, LIFE_TIMEOUT_MS, type Rig, startRig } from './testing/rig.js';
import type { WorldMachine } from './world-client.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig('main-job');
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

describe('the demo run', () => {
  let events: readonly RecordedEvent[];
  let machines: readonly WorldMachine[];

  beforeAll(async () => {
    await rig.life(async () => {
      const scenario = rig.scenario();
      await scenario.run();
      expect(await rig.judge(scenario)).toMatchObject(DONE_WELL);
      [events, machines] = await Promise.all([readLog(rig.client), rig.world.machines()]);
    });
  }, LIFE_TIMEOUT_MS);

  test('leaves a log with every kind of fact that the laws are about', () => {
    const types = new Set(events.map(({ type }) => type));
    for (const type of [
      'davit.resource.launch-attempted',
      'davit.resource.delete-attempted',
      'davit.resource.absence-confirmed',
      'davit.runtime.became-unready',
      'davit.route.registered',
      'davit.route.withdrawn',
      'davit.deployment.deleted',
    ])
      expect(types).toContain(type);
  });

  test.each(LAWS.map((law) => [law.name, law] as const))('%s', (_name, law) => {
    expect(checkAgainst([law], events, { ended: true })).toEqual([]);
  });

  test('law-02-intent-before-effect: every machine the outside ever made was announced in the log before', () => {
    expect(machines).toHaveLength(6);
    expect(unannounced(machines, events)).toEqual([]);
  });

  test('law-06-identity-is-deterministic-and-never-reused: one machine for each incarnation, as the outside counts them', () => {
    const counts = Object.values(machinesByReplica('default/qwen3-8b', machines, events));
    expect(counts).toEqual([1, 1, 1, 1, 1, 1]);
    expect(new Set(machines.map(externalKeyOf)).size).toBe(machines.length);
  });
});
