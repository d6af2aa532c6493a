import { runpodGpuOf, vastGpuOf } from '@davit/contracts';
import { compareAmounts } from '@davit/domain';
import { type HttpClient, type HttpOutcome, VirtualClock, silentLogger } from '@davit/ports';
import { GPU_TYPES, MemoryHost, WORLD_HOSTS, type World, createWorld, seeded, wholeBody } from '@davit/world';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SETTINGS } from '../settings.js';
import type { Advice, StockAdvisor } from './advisor.js';
import { type Golden, questionOf } from './testing/golden.js';
import { liveAdvisors } from './wire.js';

/** The simulated providers as an independent witness: they hold their own names, levels, limits and prices. */
describe('advisors before the simulated world', () => {
  let clock: VirtualClock;
  let world: World;
  let sent: number;

  beforeEach(() => {
    clock = new VirtualClock();
    world = createWorld({ clock, random: seeded(7), host: new MemoryHost(clock) });
    sent = 0;
  });

  const http: HttpClient = {
    async request({ method, url, headers = {}, body = '' }): Promise<HttpOutcome> {
      sent += 1;
      const reply = await world.handleHttp({ method, url, headers, body });
      if (reply.kind === 'hang') return { kind: 'failure', reason: 'timeout', detail: 'no answer' };
      if (reply.kind !== 'response') return { kind: 'failure', reason: reply.kind, detail: reply.kind };
      return { kind: 'response', status: reply.status, headers: reply.headers, body: await wholeBody(reply.body) };
    },
  };

  const advisorsOf = (api: 'v2' | 'graphql', keys = world.keys): ReadonlyMap<string, StockAdvisor> =>
    liveAdvisors(
      { http, clock, logger: silentLogger },
      {
        ...DEFAULT_SETTINGS,
        runpod: { api, baseUrl: WORLD_HOSTS.runpod, graphqlUrl: `${WORLD_HOSTS.runpod}/graphql`, apiKey: keys.runpod },
        vast: { baseUrl: WORLD_HOSTS.vastConsole, apiKey: keys.vast },
      },
    );

  const askWith = async (advisors: ReadonlyMap<string, StockAdvisor>, cloud: string, asked: Partial<Golden>) => {
    const advice: Advice[] = [];
    void advisors
      .get(cloud)
      ?.advise(questionOf(cloud, asked))
      .then((answer) => advice.push(answer));
    for (let waited = 0; advice.length === 0 && waited < 30_000; waited += 100) await clock.advance(100);
    const [answer] = advice;
    if (!answer) throw new Error('no advice came');
    return answer;
  };
  const ask = (cloud: string, asked: Partial<Golden>, api: 'v2' | 'graphql' = 'v2') =>
    askWith(advisorsOf(api), cloud, asked);

  const level = (gpu: string, shownLevel: string): void => void world.stock.set({ gpu, shownLevel });

  it.each([
    ['HIGH', 'available'],
    ['MEDIUM', 'available'],
    ['LOW', 'constrained'],
    ['NONE', 'unavailable'],
    ['VERY_LOW', 'unknown'],
  ])('read %s of RunPod as %s over either interface', async (word, state) => {
    level('L40S', word);
    for (const api of ['v2', 'graphql'] as const) {
      expect((await ask('runpod', {}, api)).signal).toMatchObject({ state, source: `runpod-${api}` });
    }
  });

  it('are understood by RunPod for every card that both know', async () => {
    const shared = GPU_TYPES.filter(({ accelerator }) => runpodGpuOf(accelerator));
    expect(shared.length).toBeGreaterThan(15);
    for (const { accelerator, id } of shared) {
      expect(runpodGpuOf(accelerator)?.runpod.id).toBe(id);
      const { signal } = await ask('runpod', { accelerator: `${accelerator}:1` });
      expect({ accelerator, state: signal.state }).toEqual({ accelerator, state: 'available' });
    }
  });

  it.each([
    [0, 'unavailable'],
    [1, 'constrained'],
    [2, 'constrained'],
    [3, 'available'],
  ])('count the offers of Vast: %i are %s', async (free, state) => {
    for (const gpu of ['RTX4090', 'H100', 'H100-SXM', 'H100-NVL']) world.stock.set({ cloud: 'vast', gpu, free: 0 });
    for (const [gpu, accelerator] of [
      ['RTX4090', 'RTX4090:1'],
      ['H100-SXM', 'H100:1'],
    ] as const) {
      world.stock.set({ cloud: 'vast', gpu, free });
      const { signal, failure } = await ask('vast', { accelerator, diskGiB: 50 });
      expect({ accelerator, failure, state: signal.state }).toEqual({ accelerator, failure: undefined, state });
      expect(signal.price === null).toBe(free === 0);
    }
    expect(vastGpuOf('H100')?.gpuNames).toContain('H100 SXM');
  });

  it('price a machine of Vast at the disk that was asked for, and a bid below it', async () => {
    const amount = async (asked: Partial<Golden>): Promise<string> =>
      (await ask('vast', { ...asked, accelerator: 'L40S:1' })).signal.price?.amount ?? '';
    const [small, large, bid] = [
      await amount({ diskGiB: 20 }),
      await amount({ diskGiB: 150 }),
      await amount({ diskGiB: 20, spot: true }),
    ];
    expect(compareAmounts(large, small)).toBeGreaterThan(0);
    expect(compareAmounts(bid, small)).toBeLessThan(0);
    expect(bid).toMatch(/^0\.\d*[1-9]/);
  });

  it('never meet the limits of either provider, however much is asked', async () => {
    const advisors = advisorsOf('v2');
    const names = GPU_TYPES.flatMap(({ accelerator }) => [1, 2, 4, 8].map((count) => `${accelerator}:${count}`));
    const failures: (string | undefined)[] = [];
    let open = 0;
    for (const accelerator of names) {
      for (const cloud of ['runpod', 'vast']) {
        open += 1;
        void advisors
          .get(cloud)
          ?.advise(questionOf(cloud, { accelerator }))
          .then(({ signal, failure }) => {
            open -= 1;
            if (failure) failures.push(signal.detail);
          });
      }
    }
    while (open > 0) await clock.advance(500);
    expect(sent).toBeGreaterThan(30);
    expect(failures.length).toBeGreaterThan(0);
    for (const detail of failures) expect(detail).toMatch(/was not asked: the rate limit was reached/);
  });

  it.each(['runpod', 'vast'])('say that %s rejects a key', async (cloud) => {
    const advisors = advisorsOf('v2', { runpod: 'wrong', vast: 'wrong' });
    expect(await askWith(advisors, cloud, {})).toMatchObject({
      signal: { state: 'unknown' },
      failure: 'credentials-rejected',
    });
  });

  it('answer for a place no wider than the answer was', async () => {
    world.stock.set({ gpu: 'L40S', place: 'EU-RO-1', free: 0 });
    expect((await ask('runpod', { region: 'US-TX-3' })).signal).toMatchObject({ scope: 'zone', state: 'available' });
    expect((await ask('runpod', { region: 'RO' })).signal).toMatchObject({ scope: 'region', state: 'unavailable' });
    expect((await ask('runpod', { region: 'RO' }, 'graphql')).signal).toMatchObject({
      scope: 'global',
      state: 'available',
    });
    expect((await ask('vast', { region: 'US' })).signal).toMatchObject({ scope: 'region', state: 'available' });
    expect((await ask('vast', { region: 'ZW' })).signal).toMatchObject({ scope: 'region', state: 'unavailable' });
  });
});
