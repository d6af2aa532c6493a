import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readLog } from './log-reader.js';
import { LogWatch } from './testing/log-watch.js';
import { type Mirrored, mirroredUpTo, readMirror } from './testing/mirror.js';
import { DONE_WELL, LIFE_TIMEOUT_MS, type Rig, startRig } from './testing/rig.js';
import { waitFor } from './wait-for.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig('broker-wiped');
}, LIFE_TIMEOUT_MS);
afterAll(() => rig.system.stop(), LIFE_TIMEOUT_MS);

/** The launches of the main job at which the broker is lost: in the first deployment, and in the new revision. */
const AT_LAUNCH = [1, 4];

describe('the broker, lost with all it held', () => {
  test(
    'twice in the middle of launches: the life goes on to its end, and LOG is the exact mirror of the log again',
    () =>
      rig.life(async () => {
        const recoveries: Promise<number>[] = [];
        let launches = 0;
        const watch = await LogWatch.open(rig.system.natsUrl, ({ type }) => {
          if (type !== 'davit.resource.launch-attempted') return;
          launches += 1;
          if (AT_LAUNCH.includes(launches)) recoveries.push(loseBroker());
        });
        const scenario = rig.scenario();
        await scenario.run();
        await watch.close();
        const ms = await Promise.all(recoveries);
        expect(ms).toHaveLength(AT_LAUNCH.length);
        process.stderr.write(`broker back → log and mirror go on: ${ms.join(' ms, ')} ms (budget 10 000 ms)\n`);
        expect(await rig.judge(scenario)).toMatchObject(DONE_WELL);
        const [mirror, log] = await settledMirror();
        expect(mirror.map(({ sequence, event }) => [sequence, event.position])).toEqual(
          mirror.map((_, index) => [first(mirror) + index, first(mirror) + index]),
        );
        expect(mirror.map(({ event }) => event)).toEqual(log.slice(first(mirror) - 1));
      }),
    LIFE_TIMEOUT_MS,
  );
});

const first = (mirror: readonly Mirrored[]): number => mirror[0]?.sequence ?? 0;

/** Resolves to the time from a broker that answers again to something new in log and mirror. */
async function loseBroker(): Promise<number> {
  rig.tell('broker killed with -9 and its store removed');
  await rig.system.wipeNats();
  const backAtMs = Date.now();
  const before = await head();
  await waitFor(
    'log and mirror go on after the broker is back',
    async () => {
      const mirrored = await mirroredUpTo(rig.system.natsUrl).catch(() => undefined);
      return mirrored !== undefined && mirrored > before ? true : undefined;
    },
    { timeoutMs: 60_000, everyMs: 50 },
  );
  rig.tell(`log and mirror go on, ${Date.now() - backAtMs} ms after the broker was back`);
  return Date.now() - backAtMs;
}

async function head(): Promise<number> {
  const response = await fetch(new URL('/v1/events?limit=1', rig.system.urls['spec-api']));
  const answer = (await response.json()) as { head: number };
  return answer.head;
}

/** Mirror and log, once the mirror has all that the log has. */
async function settledMirror(): Promise<readonly [readonly Mirrored[], Awaited<ReturnType<typeof readLog>>]> {
  return waitFor(
    'the mirror has all that the log has',
    async () => {
      const log = await readLog(rig.client);
      const mirror = await readMirror(rig.system.natsUrl);
      return mirror.at(-1)?.sequence === log.at(-1)?.position ? ([mirror, log] as const) : undefined;
    },
    { timeoutMs: 30_000, everyMs: 200 },
  );
}
