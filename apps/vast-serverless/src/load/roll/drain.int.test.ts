import { seededRandom, silentLogger, sleep, systemClock, undiciHttpClient } from '@davit/ports';
import { startWorld, type WorldProcess } from '@davit/test-support';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { VastClient } from '../../vast/client.js';
import { writeWorkergroup } from '../../vast/record/workergroup.js';
import { DEFAULT_VAST_SETTINGS } from '../../vast/settings.js';
import { ensureTemplate, type TemplateIdentity } from '../../vast/template/create.js';
import type { LoadParts } from '../load-parts.js';
import type { Prompt } from '../prompts/prompt.js';
import type { DrainProof } from './drain-proof.js';
import { recordRoll } from './record-roll.js';

const POLICY = {
  ...{ min_load: 1_200, min_cold_load: 0, target_util: 0.9, cold_mult: 1, cold_workers: 2, max_workers: 2 },
  ...{ max_queue_time: 30, target_queue_time: 10, inactivity_timeout: -1 },
};
const PROMPT: Prompt = {
  ...{ id: 'p', path: '/v1/chat/completions', cost: 16, recorded: null },
  payload: { max_tokens: 16, temperature: 0, messages: [{ role: 'user', content: 'name three rivers' }] },
};
/** Each answer takes so long that every worker holds some whenever its turn to change comes. */
const ANSWER_MS = 700;
const CONTENT = {
  ...{ image: 'vllm/vllm-openai:v0.11.0', ports: [8_000], diskGiB: 40 },
  env: { VLLM_MODEL: 'Qwen/Qwen3-8B', VLLM_ARGS: '--served-model-name qwen3-8b --port 8000' },
};

interface Truth {
  readonly workers: readonly { readonly status: string; readonly template: { readonly hash: string } }[];
}

describe('requests in flight while workers are rolled, over real HTTP', () => {
  let world: WorldProcess;
  let client: VastClient;
  let parts: LoadParts;
  const http = undiciHttpClient();

  beforeAll(async () => {
    world = await startWorld({ WORLD_LOAD_MS: '300' });
    const [clock, random] = [systemClock, seededRandom(1)];
    const { vast: apiKey } = world.keys;
    const settings = {
      ...DEFAULT_VAST_SETTINGS,
      ...{ consoleUrl: world.vastConsoleUrl, runUrl: world.vastRunUrl, apiKey, templateKey: apiKey, paceScale: 0.02 },
    };
    client = new VastClient({ http, clock, random, settings });
    parts = { http, clock, random, client, logger: silentLogger };
  }, 120_000);
  afterAll(async () => {
    await world.stop();
    await http.close();
  });

  const truth = async (): Promise<Truth> => (await world.control('GET', '/vast/truth')) as Truth;

  async function until(holds: (workers: Truth['workers']) => boolean): Promise<void> {
    while (!holds((await truth()).workers)) await sleep(systemClock, 50);
  }

  /** Two workers that serve, which are rolled to another template while requests come in. */
  async function rolled(name: string): Promise<DrainProof> {
    const endpoint = await client.endpoints.create(name, POLICY);
    const endpointId = endpoint.kind === 'confirmed' ? endpoint.value : 0;
    const group = { endpoint_id: endpointId, template_hash: world.vastTemplateHash, search_params: '', gpu_ram: 24 };
    const made = await client.workergroups.create(group);
    const groupId = made.kind === 'confirmed' ? made.value : 0;
    await until((workers) => workers.length === 2 && workers.every(({ status }) => status === 'idle'));
    const candidate = await templateFor(name);
    await world.control('POST', '/vast/faults', { kind: 'latency', ms: ANSWER_MS });
    const finish = new AbortController();
    const recorded = recordRoll(parts, {
      ...{ target: { endpointId, endpointName: name, servedName: 'qwen3-8b' }, prompts: [PROMPT] as const },
      ...{ requestsPerSecond: 8, durationMs: 60_000, arrivals: 'even', deadlineMs: 30_000, finish: finish.signal },
      caps: { maxRequests: 1_000, maxDurationMs: 90_000, maxSpend: { amount: '1', currency: 'USD' } },
      watch: {
        ...{ everyMs: 100, instancesMs: 0 },
        revisionOf: (_, instance) => (instance?.template_id === candidate.id ? 'candidate' : 'old'),
      },
    });
    await until((workers) => workers.length === 2);
    expect(await writeWorkergroup(client, groupId, { template: candidate })).toMatchObject({ outcome: 'written' });
    expect((await client.updateWorkers.start(groupId)).kind).toBe('confirmed');
    await until((workers) =>
      workers.every(({ status, template }) => status === 'idle' && template.hash === candidate.hash),
    );
    finish.abort();
    const { proof } = await recorded;
    await client.workergroups.delete(groupId);
    await client.endpoints.delete(endpointId);
    await world.control('DELETE', '/vast/faults');
    await until((workers) => workers.length === 0);
    return proof;
  }

  async function templateFor(purpose: string): Promise<TemplateIdentity> {
    const made = await ensureTemplate(client, {
      ...{ purpose, content: { ...CONTENT, onStart: '', args: '' }, secrets: [], knownIds: [] },
      ...{ read: () => undefined, holdsLease: () => Promise.resolve(true) },
    });
    if (made.outcome !== 'made') throw new Error(made.detail);
    return made;
  }

  test.each([
    { rollTrigger: 'put-and-call', updateConcurrency: 1 },
    { rollTrigger: 'put-only', updateConcurrency: 1 },
    { rollTrigger: 'call-only', updateConcurrency: 1 },
    { rollTrigger: 'call-only', updateConcurrency: 2 },
  ])(
    'with $rollTrigger and $updateConcurrency drained at once, none is lost on a worker',
    async (switches) => {
      await world.control('PUT', '/vast', switches);
      const proof = await rolled(`roll-${switches.rollTrigger}-${switches.updateConcurrency}`);
      expect(proof).toMatchObject({ verdict: 'proved', lost: [], unfinished: 0 });
      expect(proof.exchanges.old).toBeGreaterThan(0);
      expect(proof.requests).toBeGreaterThan(8);
    },
    120_000,
  );

  test.each([{ rollTrigger: 'put-and-call' }, { rollTrigger: 'call-only' }])(
    'with $rollTrigger, a worker that cuts what it holds is found out',
    async (switches) => {
      await world.control('PUT', '/vast', { ...switches, updateConcurrency: 1 });
      await world.control('POST', '/vast/faults', { kind: 'no-drain' });
      const { verdict, lost } = await rolled(`cut-${switches.rollTrigger}`);
      expect(verdict).toBe('lost');
      expect(lost.every(({ attempt }) => attempt.revision !== 'candidate')).toBe(true);
    },
    120_000,
  );
});
