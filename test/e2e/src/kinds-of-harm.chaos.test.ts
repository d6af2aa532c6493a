import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EventType, RecordedEvent } from '@davit/contracts';
import { checkLaws } from '@davit/domain';
import { readLog } from './log-reader.js';
import { ORPHANS_GO } from './pace.js';
import { failedAudits } from './report.js';
import { LogWatch } from './testing/log-watch.js';
import { doubledMachines, machinesByReplica, unannounced } from './testing/machines.js';
import { LIFE_TIMEOUT_MS, type Rig, startRig } from './testing/rig.js';
import { waitFor } from './wait-for.js';

const AGENT = 'skypilot-agent';
const SECOND = `${AGENT}-2`;
const OUTCOMES = [
  'davit.resource.launch-accepted',
  'davit.resource.launch-unknown',
  'davit.resource.launch-refused',
] as const;
const WAIT = { timeoutMs: 60_000, everyMs: 50 };

let rig: Rig;
beforeAll(async () => {
  rig = await startRig('kinds-of-harm', { env: ORPHANS_GO });
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

/** One run, on real processes, of each kind of harm that the generated matrix of the simulation does at every point. */
describe('a life to which harm is done in the middle of a launch', () => {
  test(
    'an instance that stands still while it launches and wakes when another one has taken over: one machine a replica',
    () =>
      life('old-epoch', 'davit.resource.launch-attempted', async () => {
        rig.system.signalService(AGENT, 'SIGSTOP');
        await rig.system.addInstance(AGENT);
        await decidedByAnother('old-epoch');
        rig.system.signalService(AGENT, 'SIGCONT');
        rig.tell('the first instance wakes with an epoch that is over');
      }),
    LIFE_TIMEOUT_MS,
  );
  test(
    'killed before it launches, both of two instances',
    () => life('before', 'davit.replica.launch-requested', () => killAgents()),
    LIFE_TIMEOUT_MS,
  );
  test(
    'killed after it launched, both of two instances',
    () => life('after', 'davit.resource.launch-accepted', () => killAgents()),
    LIFE_TIMEOUT_MS,
  );
  test(
    'a launch whose answer is lost while the broker loses every message',
    async () => {
      await rig.world.addFault({ service: 'sky', verb: 'launch', count: 2, effect: { kind: 'lost-reply' } });
      await life('reply-lost', 'davit.resource.launch-attempted', () => rig.system.wipeNats());
    },
    LIFE_TIMEOUT_MS,
  );
  test(
    'a disk that takes nothing while the task should be written',
    () => {
      const folders = [AGENT, SECOND].map((instance) => path.join(rig.system.dir, 'home', instance, 'tasks'));
      for (const folder of folders) {
        rmSync(folder, { recursive: true, force: true });
        writeFileSync(folder, '');
      }
      return life('no-disk', 'davit.resource.launch-refused', () => {
        for (const folder of folders) rmSync(folder);
      });
    },
    LIFE_TIMEOUT_MS,
  );
});

/** Two replicas come up and go again; at the first event of the type the harm is done, once. */
async function life(name: string, at: EventType, harm: () => Promise<void> | void): Promise<void> {
  await rig.life(async () => {
    let done: Promise<void> | undefined;
    const watch = await LogWatch.open(rig.system.natsUrl, (event) => {
      if (event.type === at && isOf(name, event)) done ??= Promise.resolve(harm());
    });
    const scenario = rig.scenario(name);
    try {
      await scenario.deploy();
      await done;
      expect(done).toBeDefined();
      await scenario.remove();
    } finally {
      await watch.close();
    }
    await nothingLeft(name);
  });
}

async function nothingLeft(name: string): Promise<void> {
  // A program that was started before its caller stood still may rent after everybody gave it up: an orphan, which goes.
  await waitFor('nothing is rented', async () => ((await rig.world.running()).length === 0 ? true : undefined), WAIT);
  const [machines, events] = await Promise.all([rig.world.machines(), readLog(rig.client)]);
  expect(doubledMachines(machines)).toEqual([]);
  expect(unannounced(machines, events)).toEqual([]);
  const counts = machinesByReplica(`default/${name}`, machines, events);
  expect(Object.entries(counts).filter(([, count]) => count > 1)).toEqual([]);
  expect(checkLaws(events, { ended: true })).toEqual([]);
  expect(await failedAudits(rig.system.urls)).toEqual([]);
}

function killAgents(): void {
  for (const instance of [AGENT, SECOND]) rig.system.signalService(instance, 'SIGKILL');
}

/** The attempts that the first instance announced have come to something, though it stands still. */
async function decidedByAnother(name: string): Promise<void> {
  await waitFor(
    'another instance finds out what came of the launches',
    async () => {
      const events = (await readLog(rig.client)).filter((event) => isOf(name, event));
      const count = (type: EventType): number => events.filter((event) => event.type === type).length;
      const ended = OUTCOMES.reduce((total, type) => total + count(type), 0);
      return ended >= count('davit.resource.launch-attempted') ? true : undefined;
    },
    WAIT,
  );
}

const isOf = (name: string, { data }: RecordedEvent): boolean =>
  'replicaId' in data && data.replicaId?.startsWith(`default/${name}`) === true;
