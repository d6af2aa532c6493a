import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readLog } from './log-reader.js';
import { machinesByReplica, unannounced } from './testing/machines.js';
import { DONE_WELL, LIFE_TIMEOUT_MS, type Rig, SERVICES, seedOfToday, startRig, urlOf } from './testing/rig.js';
import { Saboteur } from './testing/saboteur.js';
import { waitFor } from './wait-for.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig('services-killed');
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

describe('the main job while services die', () => {
  test(
    'every service killed with -9 at any moment: the life goes on to its end and nothing is left behind',
    () =>
      rig.life(async () => {
        const saboteur = new Saboteur(rig, seedOfToday());
        const scenario = rig.scenario();
        await saboteur.start();
        await scenario.run().finally(() => saboteur.stop());
        await allReady();
        expect(new Set(saboteur.kills)).toEqual(new Set(SERVICES));
        expect(await rig.judge(scenario)).toMatchObject(DONE_WELL);
        const [machines, events] = await Promise.all([rig.world.machines(), readLog(rig.client)]);
        expect(unannounced(machines, events)).toEqual([]);
        // None where the launch died with its service and a new incarnation took the place.
        const counts = machinesByReplica('default/qwen3-8b', machines, events);
        expect(Object.entries(counts).filter(([, count]) => count > 1)).toEqual([]);
      }),
    LIFE_TIMEOUT_MS,
  );
});

async function allReady(): Promise<void> {
  await Promise.all(
    SERVICES.map((service) =>
      waitFor(
        `${service} is ready`,
        async () => {
          const answer = await fetch(new URL('/readyz', urlOf(rig.system, service))).catch(() => undefined);
          return answer?.ok === true ? true : undefined;
        },
        { timeoutMs: 60_000, everyMs: 200 },
      ),
    ),
  );
}
