import { describe, expect, it } from '@jest/globals';
import { type Scope } from './scopes.js';
import { VastTest, type Row } from './testing.js';

async function keyWith(test: VastTest, api: object): Promise<{ readonly id: number; readonly key: string }> {
  const made = await test.ask('POST', '/auth/apikeys/', { name: 'rollout', permissions: { api } });
  return { id: Number(made['id']), key: String(made['key']) };
}

const ROUTES: readonly (readonly [Scope, string, string])[] = [
  ['misc', 'GET', '/endptjobs/'],
  ['misc', 'POST', '/workergroups/'],
  ['misc', 'DELETE', '/autojobs/1/'],
  ['misc', 'GET', '/benchmarks/'],
  ['misc', 'POST', '/bundles/'],
  ['user_read', 'GET', '/template/'],
  ['user_write', 'POST', '/template/'],
  ['user_read', 'GET', '/users/current/'],
  ['user_read', 'GET', '/auth/apikeys/'],
  ['user_write', 'POST', '/auth/apikeys/'],
  ['user_read', 'GET', '/serverless/endpoints/spend'],
  ['instance_read', 'GET', 'v1/instances/'],
  ['instance_read', 'PUT', '/instances/request_logs/1'],
  ['instance_write', 'DELETE', '/instances/1/'],
  ['billing_read', 'GET', '/charges/'],
];

describe('a key with permissions', () => {
  it.each(ROUTES)('without %s is refused %s %s by name, with it is let in', async (scope, method, path) => {
    const test = new VastTest();
    const other = scope === 'misc' ? 'team_read' : 'misc';
    const without = await test.ask(method, path, {}, (await keyWith(test, { [other]: {} })).key);
    expect(without).toMatchObject({ status: 403, msg: `Your key lacks the \`${scope}\` permission group` });
    const allowed = await test.ask(method, path, {}, (await keyWith(test, { [scope]: {} })).key);
    expect(String(allowed['msg'])).not.toMatch(/permission group/);
  });

  it('may be refused with 401 instead', async () => {
    const test = new VastTest({ missingScope: 401 });
    expect(await test.ask('GET', '/charges/', '', (await keyWith(test, { misc: {} })).key)).toMatchObject({
      status: 401,
    });
  });

  it('is held to the ids its constraints name', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    const [worker] = await test.workers(endpoint);
    const id = Number(worker?.['id']);
    const { key } = await keyWith(test, {
      instance_read: { 'api.instance.show': { constraints: { id: { lte: id } } } },
    });
    expect(await test.ask('GET', `/instances/${id}/`, '', key)).toMatchObject({ status: 200 });
    expect(await test.ask('GET', `/instances/${id + 1}/`, '', key)).toMatchObject({ status: 403 });
    expect(await test.ask('GET', 'v1/instances/', '', key)).toMatchObject({ status: 403 });
  });

  it('shows its secret once, cannot make keys, and opens nothing once deleted', async () => {
    const test = new VastTest();
    const { id, key } = await keyWith(test, { user_write: {}, user_read: {} });
    const listed = await test.ask('GET', '/auth/apikeys/', '', key);
    expect(listed).toMatchObject({
      apikeys: [{ id, name: 'rollout', permissions: { api: { user_write: {}, user_read: {} } } }],
    });
    expect(JSON.stringify(listed)).not.toContain(key);
    expect(await test.ask('POST', '/auth/apikeys/', { permissions: { api: {} } }, key)).toMatchObject({ status: 400 });
    expect(await test.ask('DELETE', `/auth/apikeys/${id}/`)).toMatchObject({ msg: 'Successfully Deleted API Key' });
    expect(await test.ask('GET', '/users/current/', '', key)).toMatchObject({ status: 404, error: 'auth_error' });
  });

  it.each([
    [{ name: 'x' }, 'missing_permissions'],
    [{ name: 'x', permissions: { api: { everything: {} } } }, 'invalid_permissions'],
  ])('is not made of %j', async (body, error) => {
    expect(await new VastTest().ask('POST', '/auth/apikeys/', body)).toMatchObject({ status: 400, error });
  });

  it.each([
    ['allowed', true],
    ['refused', false],
  ] as const)('on the run host is %s', async (runScopedKeys, opens) => {
    const test = new VastTest({ runScopedKeys });
    const { endpoint } = await test.serving();
    const { key } = await keyWith(test, { misc: {} });
    expect(Array.isArray(await test.run('/get_endpoint_workers/', { id: endpoint }, key))).toBe(opens);
  });

  it.each([
    ['misc', 400],
    ['admin-and-deposit', 403],
  ] as const)('with misc alone may make a workergroup where that needs %s: %i', async (workergroupNeeds, status) => {
    const test = new VastTest({ workergroupNeeds });
    const { key } = await keyWith(test, { misc: {} });
    expect(await test.ask('POST', '/workergroups/', { endpoint_id: 1 }, key)).toMatchObject({ status });
  });
});

describe('where keys travel', () => {
  it('a key in the query or the body is taken only where that is switched on, and noted always', async () => {
    const test = new VastTest();
    const key = test.world.keys.vast;
    const attempts = async (): Promise<unknown[]> => [
      (await test.ask('GET', `/users/current/?api_key=${key}`, '', '')).status,
      (await test.ask('POST', '/endptjobs/', { api_key: key, endpoint_name: 'x' }, '')).status,
    ];
    expect(await attempts()).toEqual([400, 403]);
    test.vast.options.keyInUrl = 'accept';
    expect(await attempts()).toEqual([200, 200]);
    const calls = test.world.calls.all();
    expect(calls).toMatchObject([{ keyInUrl: true }, { keyInBody: true }, { keyInUrl: true }, { keyInBody: true }]);
    expect(JSON.stringify(calls)).not.toContain(key);
  });

  it('the journal tells whose key it was, and the digest of the body', async () => {
    const test = new VastTest();
    const { id, key } = await keyWith(test, { misc: {} });
    await test.ask('POST', '/endptjobs/', { endpoint_name: 'x' }, key);
    const { results } = (await test.ask('GET', '/endptjobs/')) as unknown as { results: Row[] };
    await test.run('/route/', { endpoint: 'x' }, String(results[0]?.['api_key']));
    await test.ask('GET', '/endptjobs/', '', 'nobody');
    expect(test.world.calls.all().slice(1)).toMatchObject([
      { service: 'vast-console', keyId: String(id), bodyDigest: expect.stringMatching(/^[0-9a-f]{32}$/), status: 200 },
      { keyId: String(test.vast.keys.accountKeyId), bodyDigest: null },
      { service: 'vast-run', keyId: `endpoint:${String(results[0]?.['id'])}` },
      { keyId: null },
    ]);
  });
});

describe('secrets that the service hands out', () => {
  it('are known by what they are wherever they come up', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving();
    const auth = await test.route();
    const [worker] = await test.workers(endpoint);
    const answers = {
      endpoints: await test.ask('GET', '/endptjobs/'),
      workergroups: await test.ask('GET', '/workergroups/'),
      instances: await test.ask('GET', 'v1/instances/'),
      templates: await test.ask('GET', '/template/'),
      user: await test.ask('GET', '/users/current/'),
      log: await test.ask('PUT', `/instances/request_logs/${String(worker?.['id'])}`, {}),
      key: await keyWith(test, {}),
      auth,
    };
    expect(Object.values(answers).map((answer) => test.vast.canariesIn(JSON.stringify(answer)))).toEqual([
      ['endpoint key'],
      ['workergroup key'],
      ['jupyter token', 'master token of a worker'],
      ['secret of a template'],
      ['ssh key of the account', 'session of the account'],
      ['signature of a log address'],
      ['created API key'],
      ['signature of a route'],
    ]);
    expect(test.vast.canariesIn(`x${test.world.keys.vast}x`)).toEqual(['account key']);
    expect(test.vast.canariesIn('nothing')).toEqual([]);
  });

  it('of templates and workergroups that were given are known too', async () => {
    const test = new VastTest();
    await test.template('x', { env: '-p 80:80 -e HF_TOKEN=hf_planted_token', docker_login_pass: 'planted-login' });
    await test.serve({}, { docker_login_pass: 'planted-password' });
    expect(test.vast.canariesIn('hf_planted_token')).toEqual(['secret of a template']);
    expect(test.vast.canariesIn('planted-login')).toEqual(['secret of a template']);
    expect(test.vast.canariesIn('planted-password')).toEqual(['registry password of a workergroup']);
  });
});
