import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LAWS, checkAgainst } from '@davit/domain';
import { readLog } from './log-reader.js';
import { BrokerThief, settledMirror } from './testing/broker.js';
import { machinesByReplica, unannounced } from './testing/machines.js';
import { DONE_WELL, LIFE_TIMEOUT_MS, type Rig, SERVICES, startRig, urlOf } from './testing/rig.js';
import { steadyIntents, steadyReader, steadyRequests } from './testing/under-load.js';
import { waitFor } from './wait-for.js';

let rig: Rig;
let fronts: readonly string[];
beforeAll(async () => {
  rig = await startRig('two-instances');
  const [second = ''] = await Promise.all(SERVICES.map((service) => rig.system.addInstance(service)));
  fronts = [urlOf(rig.system, 'spec-api'), second];
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

describe('two instances of every service', () => {
  test(
    'share the work, while the broker is lost twice with all it held: the life goes well and no machine is made twice',
    () =>
      rig.life(async () => {
        const thief = await BrokerThief.start(rig, AT_LAUNCHES);
        const scenario = rig.scenario('shared');
        const run = scenario.run();
        const ms = await run.catch(() => undefined).then(() => thief.stop());
        await run;
        expect(ms).toHaveLength(AT_LAUNCHES.length);
        process.stderr.write(`broker back → log and mirror go on: ${ms.join(' ms, ')} ms (budget 10 000 ms)\n`);
        expect(await rig.judge(scenario)).toMatchObject(DONE_WELL);
        const [machines, events] = await Promise.all([rig.world.machines(), readLog(rig.client)]);
        expect(unannounced(machines, events)).toEqual([]);
        expect(Object.values(machinesByReplica('default/shared', machines, events))).toEqual([1, 1, 1, 1, 1, 1]);
      }),
    LIFE_TIMEOUT_MS,
  );

  test(
    'LOG is the exact mirror of the log again: sequence is position, from its first sequence to its last',
    async () => {
      const { mirror, log } = await settledMirror(rig);
      const first = mirror[0]?.sequence ?? 0;
      expect(mirror.map(({ sequence }) => sequence)).toEqual(mirror.map((_, index) => first + index));
      expect(mirror.map(({ event }) => event)).toEqual(log.slice(first - 1));
      expect(mirror.every(({ sequence, event }) => sequence === event.position)).toBe(true);
    },
    LIFE_TIMEOUT_MS,
  );

  test(
    'are restarted one after the other under load, while a revision rolls: no request, intent or event is lost, and none comes twice',
    () =>
      rig.life(async () => {
        const scenario = rig.scenario();
        await scenario.deploy();
        const stop = new AbortController();
        const requests = steadyRequests(rig.system.natsUrl, 'default/qwen3-8b', stop.signal);
        const intents = steadyIntents(fronts, 'load', stop.signal);
        const reader = steadyReader(fronts, stop.signal);
        const used = Promise.all([requests.done, intents.done, reader.done]);
        try {
          await Promise.race([used, Promise.all([restartAll(), scenario.update()])]);
          const { length: told } = await readLog(rig.client);
          const readOn = (): Promise<true | undefined> => Promise.resolve(reader.records.length >= told || undefined);
          await waitFor('the reader has all of it', readOn, { timeoutMs: 60_000, everyMs: 50 });
        } finally {
          stop.abort();
        }
        await used;

        const log = await readLog(rig.client);
        expect(requests.records.length).toBeGreaterThan(100);
        expect(requests.records.filter((what) => what !== 'status 200')).toEqual([]);
        const set = log.flatMap((event) =>
          event.type === 'davit.tenant.budget-set' && event.tenant === 'load' ? [event.data.budget?.maxHourly] : [],
        );
        expect(intents.records.length).toBeGreaterThan(20);
        expect(set).toEqual(intents.records);
        expect(reader.records).toEqual(log.slice(0, reader.records.length).map(({ position }) => position));
        expect(unannounced(await rig.world.machines(), log)).toEqual([]);
        expect(checkAgainst(LAWS, log, { ended: false })).toEqual([]);
        await scenario.remove();
      }),
    LIFE_TIMEOUT_MS,
  );
});

/** Each instance of each service ends as an upgrade ends it, and is back before the next one goes. */
async function restartAll(): Promise<void> {
  for (const service of SERVICES)
    for (const instance of [service, `${service}-2`]) {
      await rig.system.stopService(instance);
      await rig.system.restartService(instance);
    }
}

/** The launches at which the broker is lost: in the first deployment, and in the new revision. */
const AT_LAUNCHES = [1, 4];
