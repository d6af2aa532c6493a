import { describe, expect, it } from '@jest/globals';
import { type VastOptions } from './options.js';
import { POLICY, VastTest, type Row } from './testing.js';

const rowsOf = (answer: Row): readonly Row[] => answer['results'] as readonly Row[];

async function knobs(putEndpoint: VastOptions['putEndpoint'], body: object): Promise<Row> {
  const test = new VastTest({ putEndpoint });
  const { endpoint } = await test.serve({ cold_workers: 1, max_workers: 2, min_load: 0 });
  await test.ask('PUT', `/endptjobs/${endpoint}/`, body);
  const { max_workers, cold_workers, min_load } = rowsOf(await test.ask('GET', '/endptjobs/'))[0] ?? {};
  return { max_workers, cold_workers, min_load };
}

describe('PUT of an endpoint', () => {
  const partly = { max_workers: 3 };
  it.each([
    ['merge', partly, { max_workers: 3, cold_workers: 1, min_load: 0 }],
    ['merge', { ...partly, cold_workers: null }, { max_workers: 3, cold_workers: 1, min_load: 0 }],
    ['reset-omitted', partly, { max_workers: 3, cold_workers: 5, min_load: 10 }],
    ['null-means-default', partly, { max_workers: 3, cold_workers: 1, min_load: 0 }],
    ['null-means-default', { ...partly, cold_workers: null }, { max_workers: 3, cold_workers: 5, min_load: 0 }],
  ] as const)('%s: %j', async (putEndpoint, body, expected) => {
    expect(await knobs(putEndpoint, body)).toEqual(expected);
  });

  it.each([
    [{ target_util: 1.5 }, 'target_util'],
    [{ max_workers: -1 }, 'max_workers'],
    [{ cold_workers: 'some' }, 'cold_workers'],
  ])('refuses %j', async (body, field) => {
    const test = new VastTest();
    const { endpoint } = await test.serve();
    expect(await test.ask('PUT', `/endptjobs/${endpoint}/`, body)).toMatchObject({
      status: 400,
      error: 'invalid_args',
      msg: expect.stringContaining(field),
    });
  });

  it('of one that is not there is 400, as is its deletion', async () => {
    const test = new VastTest();
    expect(await test.ask('PUT', '/endptjobs/1/', {})).toMatchObject({
      status: 400,
      msg: 'Endpointgroup not found for user',
    });
    expect(await test.ask('DELETE', '/endptjobs/1/')).toMatchObject({
      status: 400,
      msg: 'Routegroup not found for user',
    });
  });
});

describe('bodies with keys that a route does not know, such as min_workers', () => {
  it('are taken, and the key does nothing; in strict mode they are refused', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve({ min_workers: 7 });
    expect(rowsOf(await test.ask('GET', '/endptjobs/'))[0]).toMatchObject({ cold_workers: POLICY.cold_workers });
    test.vast.options.unknownBodyKeys = 'refuse';
    const refused = { status: 400, msg: 'min_workers: Extra inputs are not permitted' };
    expect(await test.ask('PUT', `/endptjobs/${endpoint}/`, { min_workers: 7 })).toMatchObject(refused);
    expect(await test.ask('PUT', `/endptjobs/${endpoint}/`, { cold_workers: 1 })).toMatchObject({ status: 200 });
  });
});

describe('PUT of a workergroup', () => {
  it.each([
    ['needs-endpoint', 400],
    ['lenient', 200],
  ] as const)('%s: without an endpoint it is %i', async (putWorkergroup, status) => {
    const test = new VastTest({ putWorkergroup });
    const { group } = await test.serve();
    expect(await test.ask('PUT', `/workergroups/${group}/`, { gpu_ram: 16 })).toMatchObject({ status });
  });

  it('overwrites the search with what is sent, whatever it was', async () => {
    const test = new VastTest();
    const { endpoint, group } = await test.serve();
    await test.ask('PUT', `/autojobs/${group}/`, { endpoint_id: endpoint, search_params: 'verified=true' });
    expect(rowsOf(await test.ask('GET', '/autojobs/'))).toMatchObject([{ search_query: { verified: { eq: true } } }]);
  });

  it('of which nothing is known is 400, its deletion 404', async () => {
    const test = new VastTest();
    expect(await test.ask('PUT', '/workergroups/9/', {})).toMatchObject({
      status: 400,
      msg: 'Workgroup not found for user',
    });
    expect(await test.ask('DELETE', '/workergroups/9/')).toMatchObject({
      status: 404,
      error: 'no_such_workergroup',
      id: 9,
    });
  });
});

describe('a template of a workergroup', () => {
  it('whose id and hash do not belong together is refused', async () => {
    const test = new VastTest();
    const serving = await test.serve();
    const { id } = await test.template();
    const body = { endpoint_id: serving.endpoint, template_id: id, template_hash: test.vast.standardTemplateHash };
    expect(await test.ask('PUT', `/workergroups/${serving.group}/`, body)).toMatchObject({
      status: 400,
      msg: 'invalid template hash or id or template not accessible by user',
    });
  });

  it.each([
    ['exact', 'candidate'],
    ['stale', 'old'],
  ] as const)('named by its hash alone, %s, is the %s one', async (templateHashLookup, expected) => {
    const test = new VastTest({ templateHashLookup });
    const serving = await test.serve();
    const { hash_id } = await test.template();
    const body = { endpoint_id: serving.endpoint, template_hash: hash_id };
    expect(await test.ask('PUT', `/workergroups/${serving.group}/`, body)).toMatchObject({ status: 200 });
    const [row] = rowsOf(await test.ask('GET', '/workergroups/'));
    expect(row?.['template_hash']).toBe(expected === 'old' ? test.vast.standardTemplateHash : hash_id);
  });

  it('that was deleted lets no further worker be rented', async () => {
    const test = new VastTest();
    const { id } = await test.template();
    const { endpoint } = await test.serve({}, { template_hash: undefined, template_id: id });
    expect(await test.ask('DELETE', '/template/', { template_id: id })).toMatchObject({ status: 200 });
    await test.clock.advance(5_000);
    expect(await test.statuses(endpoint)).toEqual([]);
  });
});

describe('POST of a template', () => {
  it.each([
    ['upsert-on-name', true],
    ['always-new', false],
  ] as const)('%s: an equal name gives the same id: %s', async (createTemplate, isSame) => {
    const test = new VastTest({ createTemplate });
    const [first, second] = [await test.template('same'), await test.template('same', { image: 'other/image' })];
    expect(second.id === first.id).toBe(isSame);
    expect(second.hash_id).not.toBe(first.hash_id);
  });

  it('gives the hash that its content has, in any order of its fields', async () => {
    const test = new VastTest({ createTemplate: 'always-new' });
    const [first, second] = [
      await test.template('x', { env: '-e A=1', tag: 't' }),
      await test.template('x', { tag: 't', env: '-e A=1' }),
    ];
    expect(second.hash_id).toBe(first.hash_id);
  });

  it('without a name is refused; a list holds own and public ones, and is filtered', async () => {
    const test = new VastTest();
    expect(await test.ask('POST', '/template/', { image: 'x' })).toMatchObject({
      status: 400,
      msg: 'Template name is required',
    });
    const { id } = await test.template();
    const filtered = async (filters: object, columns?: readonly string[]): Promise<unknown> => {
      const query = new URLSearchParams({ select_filters: JSON.stringify(filters) });
      if (columns) query.set('select_cols', JSON.stringify(columns));
      return (await test.ask('GET', `/template/?${query.toString()}`))['templates'];
    };
    expect(await filtered({})).toHaveLength(3);
    expect(await filtered({ id: { eq: id } }, ['id', 'name'])).toEqual([{ id, name: 'candidate' }]);
    expect(await filtered({ id: { gt: id } })).toEqual([]);
    expect(await filtered({ creator_id: { neq: 456 } })).toHaveLength(1);
    expect(await filtered({ id: { in: [id] }, name: { notin: ['candidate'] } })).toEqual([]);
  });

  it('of somebody else cannot be edited or deleted', async () => {
    const test = new VastTest();
    const [other] = [...test.vast.store.templates.values()].filter(({ isPublic }) => isPublic);
    expect(await test.ask('PUT', '/template/', { hash_id: other?.hash, name: 'x' })).toMatchObject({ status: 401 });
    expect(await test.ask('DELETE', '/template/', { template_id: other?.id })).toMatchObject({ status: 404 });
    expect(await test.ask('DELETE', '/template/', { template_id: other?.hash })).toMatchObject({ status: 400 });
  });
});

describe('shapes of answers', () => {
  it.each([
    ['error', { status: 400, error: 'invalid_args', msg: 'No endpoints for user found' }],
    ['empty', { status: 200, results: [] }],
  ] as const)('a list without endpoints: %s', async (emptyEndpointList, expected) => {
    expect(await new VastTest({ emptyEndpointList }).ask('GET', '/endptjobs/')).toMatchObject(expected);
  });

  it.each(['id', 'result'] as const)('a new workergroup is told as %s', async (createWorkergroupId) => {
    const test = new VastTest({ createWorkergroupId });
    const { group } = await test.serve();
    expect(test.vast.store.groups.has(group)).toBe(true);
  });

  it.each([
    ['epoch', expect.any(Number)],
    ['iso', expect.stringMatching(/^2026-01-01T/)],
  ] as const)('times of rows: %s', async (createdAt, created_at) => {
    const test = new VastTest({ createdAt });
    await test.serve();
    expect(rowsOf(await test.ask('GET', '/endptjobs/'))).toMatchObject([{ created_at }]);
    expect(rowsOf(await test.ask('GET', '/workergroups/'))).toMatchObject([{ created_at }]);
  });

  it.each([
    ['array', [{ status: 'idle' }]],
    ['object', { workers: [{ status: 'idle' }] }],
    ['string', expect.stringMatching(/^authenticate_endpoint_apikey: invalid api_key/)],
  ] as const)('workers: %s', async (workersShape, expected) => {
    const test = new VastTest({ workersShape });
    const { endpoint } = await test.serving();
    const workers = await test.run('/get_endpoint_workers/', { id: endpoint });
    if (typeof workers === 'string') expect(workers).toEqual(expected);
    else expect(workers).toMatchObject(expected);
  });

  it('workers: a message as often as said, then the list', async () => {
    const test = new VastTest({ workersShape: 'error-first', workersErrorCalls: 2 });
    const { endpoint } = await test.serving();
    const shapes = [];
    for (let call = 0; call < 3; call += 1)
      shapes.push(Array.isArray(await test.run('/get_endpoint_workers/', { id: endpoint })));
    expect(shapes).toEqual([false, false, true]);
  });

  it.each([
    [
      'levels',
      {
        info0: '',
        info1: expect.stringContaining('received loadtime'),
        trace: expect.any(String),
        debug: expect.any(String),
      },
    ],
    ['logs', { logs: expect.stringContaining('received loadtime') }],
  ] as const)('logs: %s', async (logsShape, expected) => {
    const test = new VastTest({ logsShape });
    const { group } = await test.serving();
    expect(await test.run('/get_workergroup_logs/', { id: group })).toEqual(expected);
    expect(await test.run('/get_autogroup_logs/', { id: 1 })).toMatch(/^authenticate_workergroup_apikey/);
  });

  it('logs are cut to the lines asked for, and a level is wiped when it is full', async () => {
    const test = new VastTest();
    const { group } = await test.serving();
    const trace = async (tail: number): Promise<string[]> =>
      ((await test.run('/get_workergroup_logs/', { id: group, tail })) as { trace: string }).trace.trim().split('\n');
    expect(await trace(2)).toHaveLength(2);
    const small = new VastTest({ logBuffer: 60 });
    const serving = await small.serving();
    const kept = (await small.run('/get_workergroup_logs/', { id: serving.group })) as { trace: string };
    expect(kept.trace.length).toBeLessThanOrEqual(60);
  });

  it('the list of a workergroup hides the throughput until it was measured, that of an endpoint shows a placeholder', async () => {
    const test = new VastTest();
    const { endpoint, group } = await test.serve();
    await test.clock.advance(500);
    expect(await test.workers(endpoint)).toMatchObject([{ measured_perf: 42.5 }]);
    const [row] = (await test.run('/get_autogroup_workers/', { id: group })) as Row[];
    expect(row).not.toHaveProperty('measured_perf');
    await test.clock.advance(5_000);
    const [measured] = (await test.run('/get_workergroup_workers/', { id: group })) as { measured_perf: number }[];
    expect(Math.abs((measured?.measured_perf ?? 0) - 800)).toBeLessThanOrEqual(16);
    expect(rowsOf(await test.ask('GET', '/benchmarks/'))).toMatchObject([
      { type: 'perf', gpu_name: 'RTXA5000', num_gpus: 1, value: measured?.measured_perf },
    ]);
  });

  it('one instance comes under a plural name, many come in pages of 25', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serving({ cold_workers: 30, max_workers: 30 });
    await test.clock.advance(5_000);
    const first = await test.ask('GET', 'v1/instances/?limit=25');
    expect(first).toMatchObject({ instances_found: 30, total_instances: 30, next_token: expect.any(String) });
    expect(first['instances']).toHaveLength(25);
    const rest = await test.ask('GET', `v1/instances/?limit=25&after_token=${String(first['next_token'])}`);
    expect(rest).toMatchObject({ next_token: null });
    expect(rest['instances']).toHaveLength(5);
    const [worker] = await test.workers(endpoint);
    expect(await test.ask('GET', `/instances/${String(worker?.['id'])}/`)).toMatchObject({
      instances: { id: worker?.['id'] },
    });
    expect(await test.ask('GET', '/instances/1/')).toMatchObject({ status: 404, error: 'not_found' });
  });
});

describe('DELETE of a workergroup', () => {
  it('may leave one idle worker behind without saying so', async () => {
    const test = new VastTest({ deleteWorkergroup: 'lingers' });
    const { endpoint, group } = await test.serving({ cold_workers: 2 });
    expect(await test.ask('DELETE', `/workergroups/${group}/`)).toMatchObject({
      deleted_workers: [expect.any(Number)],
      failed_workers: [],
    });
    await test.clock.advance(5_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
    expect(test.vast.truth().leaked).toBe(1);
    await test.ask('DELETE', `/endptjobs/${endpoint}/`);
    await test.clock.advance(1_000);
    expect(test.vast.truth()).toMatchObject({ leaked: 0, workers: [] });
  });
});
