import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type HttpOutcome, seededRandom, VirtualClock } from '@davit/ports';
import { VastClient } from './client.js';
import { DEFAULT_VAST_SETTINGS } from './settings.js';
import { Secret } from './wire/secret.js';

/** One for each place where the real service has one. */
const CANARY = Object.fromEntries(
  ['rollout', 'template', 'emergency', 'endpoint', 'group', 'signature', 'jupyter', 'env', 'registry', 'user'].map(
    (name, index) => [name, `${name}Canary${index}xK9${'q7Z'.repeat(6)}`],
  ),
);
const ENV = `-e HF_TOKEN=${CANARY['env']} -p 8000:8000`;
const rows = {
  endpoint: { id: 1, endpoint_name: 'dv-a', api_key: CANARY['endpoint'], auto_delete_in_seconds: null },
  group: {
    id: 2,
    endpoint_id: 1,
    endpoint_name: 'dv-a',
    api_key: CANARY['group'],
    launch_args: `--login ${CANARY['registry']}`,
  },
  template: { id: 3, name: 't', hash_id: 'h', image: 'a/b', env: ENV, onstart: CANARY['env'], args_str: CANARY['env'] },
  instance: { id: 4, jupyter_token: CANARY['jupyter'], extra_env: ENV, onstart: ENV, image_args: ENV, dph_total: 0.5 },
  user: {
    id: 5,
    credit: 10,
    api_key: CANARY['user'],
    email: CANARY['user'],
    ssh_key: CANARY['user'],
    sid: CANARY['user'],
  },
  route: { url: 'https://10.0.0.1:1', signature: CANARY['signature'], request_idx: 7, status: CANARY['signature'] },
};
const body = {
  ...{ success: true, id: 9, result: rows.endpoint, results: [rows.endpoint, rows.group] },
  ...{ templates: [rows.template], template: rows.template, instances: [rows.instance], offers: [rows.instance] },
  ...{ workers: [{ id: 4, status: 'idle', mtoken: CANARY['jupyter'] }] },
  ...{ apikeys: [{ id: 6, key: CANARY['user'], permissions: { api: { misc: {} } } }] },
  ...{ info0: `export HF_TOKEN=${CANARY['env']}\nBearer ${CANARY['endpoint']}\n${CANARY['signature']}` },
};
const all = Object.values(CANARY).join(' ');
const answers: readonly (readonly [string, number, string])[] = [
  ['everything at once', 200, JSON.stringify({ ...body, ...rows.user, ...rows.route })],
  ['one instance', 200, JSON.stringify({ instances: rows.instance })],
  ['a bare text', 200, JSON.stringify(`authenticate_endpoint_apikey: ${all}`)],
  ['an error message', 200, JSON.stringify({ error_msg: all })],
  ['a failure', 200, JSON.stringify({ success: false, msg: all })],
  ['an error that repeats what was sent', 400, JSON.stringify({ error: 'invalid_args', msg: `env: ${ENV} ${all}` })],
  ['no permission', 403, JSON.stringify({ error: all, msg: all })],
  ['a page', 502, `<html>${all}</html>`],
  ['a text that was cut', 200, `{"results":[{"api_key":"${CANARY['endpoint']}`],
];

async function everyCall(status: number, text: string): Promise<{ results: unknown[]; sent: string }> {
  const clock = new VirtualClock();
  let sent = '';
  const http = {
    request: ({ url, body: said = '' }: { url: string; body?: string }): Promise<HttpOutcome> => {
      sent += `${url} ${said}\n`;
      return Promise.resolve({ kind: 'response', status, headers: {}, body: text });
    },
  };
  const settings = {
    ...DEFAULT_VAST_SETTINGS,
    ...{
      apiKey: CANARY['rollout'] ?? '',
      templateKey: CANARY['template'] ?? '',
      emergencyKey: CANARY['emergency'] ?? '',
    },
    paceScale: 0,
  };
  const client = new VastClient({ http, clock, random: seededRandom(1), settings });
  const secretBody = new Secret({
    ...{ name: 'n', image: 'a/b', tag: '', env: ENV, onstart: '', args_str: '' },
    ...{ runtype: 'args' as const, recommended_disk_space: 8 },
  });
  const policy = {
    ...{ min_load: 0, min_cold_load: 0, target_util: 0.9, cold_mult: 1, cold_workers: 0, max_workers: 1 },
    ...{ max_queue_time: 30, target_queue_time: 10, inactivity_timeout: 0 },
  };
  const group = { endpoint_id: 1, search_params: '', gpu_ram: 24 };
  const results = await Promise.all([
    client.endpoints.list(),
    client.endpoints.get(1),
    client.endpoints.create('dv-a', policy),
    client.endpoints.put(1, { endpoint_name: 'dv-a', endpoint_state: 'active', ...policy }),
    client.endpoints.delete(1),
    client.workergroups.list(),
    client.workergroups.create(group),
    client.workergroups.put(2, group),
    client.workergroups.delete(2),
    client.templates.byId(3),
    client.templates.byHash('h'),
    client.templates.byName('t'),
    client.templates.delete(3),
    client.instances.list(),
    client.instances.get(4),
    client.instances.destroy(4),
    client.offers.search({}),
    client.charges.serverless(0, 1),
    client.users.current(),
    client.keys.list(),
    client.workers.ofEndpoint(1),
    client.workers.ofWorkergroup(2),
    client.logs.ofEndpoint(1),
    client.logs.ofWorkergroup(2),
    client.updateWorkers.start(2),
    client.updateWorkers.cancel(2),
    client.route.ask({ endpoint: 'dv-a', cost: 0 }),
  ]);
  const withoutTemplates = sent;
  results.push(await client.templates.create(secretBody, [CANARY['env'] ?? '']));
  return { results, sent: withoutTemplates };
}

describe('law-13: secrets in what the service answers', () => {
  test.each(answers)('go nowhere: %s', async (_, status, text) => {
    const { results, sent } = await everyCall(status, text);
    expect(results).toHaveLength(28);
    const told = `${JSON.stringify(results)} ${inspect(results, { depth: 20 })}`;
    for (const [name, secret] of Object.entries(CANARY)) {
      expect([name, told.includes(secret)]).toEqual([name, false]);
      expect([name, sent.includes(secret)]).toEqual([name, false]);
    }
  });
});
