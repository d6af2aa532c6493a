import { DEFAULT_CONTRACT_POLICY } from '@davit/domain';
import { seededRandom, silentLogger, systemClock, undiciHttpClient } from '@davit/ports';
import { startWorld, type WorldProcess } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { VastClient } from '../vast/client.js';
import { DEFAULT_VAST_SETTINGS } from '../vast/settings.js';
import { proveCanary } from './canary/prove-canary.js';
import { ask } from './driver/send.js';
import type { LoadParts, LoadTarget } from './load-parts.js';
import type { Prompt } from './prompts/prompt.js';
import { runLoad } from './run-load.js';

const NAME = 'davit-load';
const WORDS = ['why is the sky blue', 'name three rivers', 'count to five'];
const policy = {
  ...{ min_load: 1, min_cold_load: 0, target_util: 0.9, cold_mult: 2, cold_workers: 1, max_workers: 2 },
  ...{ max_queue_time: 30, target_queue_time: 10, inactivity_timeout: 600 },
};

describe('load over real HTTP, through an engine that signs and workers that verify', () => {
  let world: WorldProcess;
  let parts: LoadParts;
  let target: LoadTarget;
  const http = undiciHttpClient();

  beforeAll(async () => {
    world = await startWorld({ WORLD_LOAD_MS: '300' });
    const [clock, random] = [systemClock, seededRandom(1)];
    const settings = {
      ...DEFAULT_VAST_SETTINGS,
      ...{ consoleUrl: world.vastConsoleUrl, runUrl: world.vastRunUrl, apiKey: world.keys.vast, paceScale: 0.02 },
    };
    const client = new VastClient({ http, clock, random, settings });
    parts = { http, clock, random, client, logger: silentLogger };
    const endpoint = await client.endpoints.create(NAME, policy);
    const endpointId = endpoint.kind === 'confirmed' ? endpoint.value : 0;
    const group = { endpoint_id: endpointId, template_hash: world.vastTemplateHash, search_params: '', gpu_ram: 24 };
    expect((await client.workergroups.create(group)).kind).toBe('confirmed');
    target = { endpointId, endpointName: NAME, servedName: 'qwen3-8b' };
  }, 120_000);
  afterAll(async () => {
    await world.stop();
    await http.close();
  });

  const prompts = (recorded: readonly string[] = []): readonly [Prompt, ...Prompt[]] => {
    const [first, ...others] = WORDS.map((content, index) => ({
      ...{ id: `p${index}`, path: '/v1/chat/completions', cost: 16, recorded: recorded[index] ?? null },
      payload: { max_tokens: 16, temperature: 0, messages: [{ role: 'user', content }] },
    }));
    if (first === undefined) throw new Error('there are no words');
    return [first, ...others];
  };
  const prove = (own: readonly [Prompt, ...Prompt[]]) =>
    proveCanary(parts, {
      ...{ target, prompts: own, requestDeadlineMs: 20_000, contract: DEFAULT_CONTRACT_POLICY },
      ...{ requestedAtMs: Date.now(), deadlineAtMs: Date.now() + 60_000 },
    });

  test('a candidate proves itself, and load finds its workers, their answers and their price', async () => {
    // Nothing is recorded yet, so it loads and answers, and proves nothing.
    expect(await prove(prompts())).toMatchObject({ kind: 'failed', data: { step: 'outputs' } });
    const bodies = [];
    for (const prompt of prompts()) bodies.push((await ask(parts, target, prompt, 20_000)).body ?? '');
    const proof = await prove(prompts(bodies));
    expect(proof).toMatchObject({ kind: 'proved', data: { responseSchema: 'openai chat completion' } });

    const step = { ramp: 1, leg: 'peak', requestsPerSecond: 5, fromMs: 0, toMs: 4_000 } as const;
    const caps = { maxRequests: 100, maxDurationMs: 60_000, maxSpend: { amount: '1', currency: 'USD' } };
    const load = await runLoad(parts, {
      ...{ target, prompts: prompts(bodies), steps: [step], caps, deadlineMs: 20_000, arrivals: 'even' },
      watch: { everyMs: 200, instancesMs: 500 },
    });
    expect(load).toMatchObject({ stopped: null, unfinished: 0, steps: [{ window: { sent: 20, ok: 20 } }] });
    expect(load.requests.every(({ workerId, attempts }) => workerId !== null && attempts.length >= 1)).toBe(true);
    expect(load.spend.estimated?.currency).toBe('USD');
    const kept = { proof, load };
    expect(await world.control('POST', '/vast/scan', kept)).toEqual({ found: [] });
    for (const words of WORDS) expect(JSON.stringify(kept)).not.toContain(words);
  }, 120_000);
});
