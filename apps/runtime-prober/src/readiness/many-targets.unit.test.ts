import type { ProbeResult } from '@davit/domain';
import { type HttpClient, type HttpOutcome, VirtualClock, seededRandom, sleep } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import { engineOf } from '../engines/registry.js';
import { probe } from '../probe/probe.js';
import { DEFAULT_SETTINGS as SETTINGS } from '../settings.js';
import { Lanes } from './lanes.js';
import { Pace } from './pace.js';

const TARGETS = 2_000;
const HUNG = 200;
/** Of so many each is looked at this often at the least: at the rate of one core, spread by a fifth. */
const LONGEST_MS = 1.2 * Math.max(SETTINGS.steadyProbeMs, (TARGETS * 1_000) / SETTINGS.mostProbesASecond);
/** When the hung ones begin to hang: everybody has been looked at by then. */
const FROM_MS = 2 * LONGEST_MS;
/** A look at one that hangs ends with its time-out; where places are fewer, each waits until its turn comes round. */
const hungAgainMs = (places: number): number =>
  Math.ceil(HUNG / places) * SETTINGS.checkTimeoutMs + SETTINGS.suspectProbeMs + SETTINGS.slowMs;
const FEW_PLACES = HUNG / 2;
const untilMsWith = (places: number): number => FROM_MS + LONGEST_MS + 2 * hungAgainMs(places);

const isHung = (index: number): boolean => index % (TARGETS / HUNG) === 0;
const reply = (status: number, body = ''): HttpOutcome => ({ kind: 'response', status, headers: {}, body });

/** Watches every target as the controller does, without a log; tells when each was looked at. */
async function watch(
  untilMs: number,
  lanes: (clock: VirtualClock) => Pick<Lanes, 'run'>,
): Promise<readonly (readonly number[])[]> {
  const clock = new VirtualClock();
  const beganMs = clock.monotonicMs();
  const nowMs = (): number => clock.monotonicMs() - beganMs;
  const places = lanes(clock);
  const random = seededRandom(3);
  const pace = new Pace(SETTINGS, random);
  const seen = Array.from({ length: TARGETS }, (): number[] => []);
  const http: HttpClient = {
    async request({ url, timeoutMs }) {
      const { hostname, pathname } = new URL(url);
      const index = Number(hostname.slice(1));
      if (pathname === '/health') seen[index]?.push(nowMs());
      if (isHung(index) && nowMs() >= FROM_MS) {
        await sleep(clock, timeoutMs);
        return { kind: 'failure', reason: 'timeout', detail: 'no answer' };
      }
      await sleep(clock, 2);
      return reply(200, pathname === '/v1/models' ? '{"data":[{"id":"qwen"}]}' : '');
    },
  };
  const parts = { http, clock, nowMs, timeouts: { checkMs: SETTINGS.checkTimeoutMs, inferenceMs: 1 } };
  const plan = { engine: engineOf({ engine: 'vllm' }), phase: 'steady', infer: false } as const;
  const one = async (index: number): Promise<void> => {
    let isSlow = false;
    await sleep(clock, random.next() * SETTINGS.steadyProbeMs);
    while (nowMs() < untilMs) {
      const target = { url: `http://m${index}:8000`, expectedModel: 'qwen' };
      const result: ProbeResult = await places.run(isSlow, () => probe(target, plan, parts));
      isSlow = result.outcome === 'unready';
      await sleep(clock, pace.nextMs(String(index), isSlow ? 'suspect' : 'steady'));
    }
  };
  for (let index = 0; index < TARGETS; index++) void one(index);
  await clock.advance(untilMs);
  return seen;
}

/** The longest time for which one of these targets was not looked at, between two moments. */
const longestGapMs = (
  seen: readonly (readonly number[])[],
  which: (index: number) => boolean,
  [sinceMs, untilMs]: readonly [number, number],
): number =>
  seen
    .filter((_, index) => which(index))
    .map((times) => [...times.filter((atMs) => atMs >= sinceMs), untilMs])
    .flatMap((times) => times.map((atMs, at) => atMs - (times[at - 1] ?? sinceMs)))
    .reduce((longest, gap) => Math.max(longest, gap), 0);
const isWell = (index: number): boolean => !isHung(index);

describe(`${TARGETS} model servers, of which ${HUNG} begin to hang at the same moment`, () => {
  it.each([SETTINGS.slowConcurrency, FEW_PLACES])(
    'are all looked at in time, at the rate of one core, with %d places for slow ones',
    async (slowConcurrency) => {
      const untilMs = untilMsWith(slowConcurrency);
      const seen = await watch(untilMs, (clock) => new Lanes(clock, { ...SETTINGS, slowConcurrency }));
      expect(longestGapMs(seen, isWell, [0, untilMs])).toBeLessThanOrEqual(LONGEST_MS + SETTINGS.slowMs);
      const ofHungMs = longestGapMs(seen, isHung, [FROM_MS, untilMs]);
      expect(ofHungMs).toBeLessThanOrEqual(LONGEST_MS + hungAgainMs(slowConcurrency));
      const probes = seen.flat().filter((atMs) => atMs >= FROM_MS).length;
      expect((1_000 * probes) / (untilMs - FROM_MS)).toBeLessThanOrEqual(1.1 * SETTINGS.mostProbesASecond);
    },
    120_000,
  );

  it('would wait for those that hang if all shared one row of places', async () => {
    const { concurrency } = SETTINGS;
    const untilMs = untilMsWith(concurrency);
    const seen = await watch(untilMs, (clock) => {
      const shared = new Lanes(clock, { concurrency: 1, slowConcurrency: concurrency, slowMs: 1 });
      return { run: (_wasSlow, work) => shared.run(true, work) };
    });
    expect(longestGapMs(seen, isWell, [0, untilMs])).toBeGreaterThan(LONGEST_MS + SETTINGS.slowMs);
  }, 120_000);
});
