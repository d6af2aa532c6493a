import { describe, expect, it } from '@jest/globals';
import { VastTest } from './testing.js';

const CONSOLE = 'https://console.vast.ai/api/v0';
const RUN = 'https://run.vast.ai';

describe('Vast Serverless', () => {
  it('rents a worker for an endpoint with a workergroup, which becomes idle and serves its model', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve();
    await test.clock.advance(200);
    expect(await test.statuses(endpoint)).toEqual(['pending']);
    await test.clock.advance(4_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
    expect(test.world.ledger.running()).toMatchObject([{ cloud: 'vast', accelerator: 'RTXA5000' }]);
    const chat = { model: 'qwen3-8b', messages: [{ role: 'user', content: 'hi' }] };
    const auth = (await test.run('/route/', { endpoint: 'davit-x', cost: 0 })) as { url: string };
    const signed = { auth_data: auth, session_id: null, payload: chat };
    expect(await test.json('POST', `${auth.url}/v1/chat/completions`, undefined, signed)).toMatchObject({
      model: 'qwen3-8b',
      choices: [{ message: { role: 'assistant' } }],
    });
    const proxied = 'https://openai.vast.ai/davit-x/v1/chat/completions';
    expect(await test.json('POST', proxied, test.world.keys.vast, chat)).toMatchObject({ object: 'chat.completion' });
  });

  it('rests: without demand nothing waits on the clock but the scale-down to come', async () => {
    const test = new VastTest();
    await test.serve();
    await test.clock.advance(5_000);
    expect(test.clock.pending).toBeLessThanOrEqual(2);
    await test.clock.advance(650_000);
    expect(test.world.ledger.running()).toHaveLength(1);
    expect(test.clock.pending).toBe(0);
  });

  it('stops an idle worker after its time, bills its disk alone, and wakes it on demand', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve({ inactivity_timeout: 5 });
    await test.clock.advance(15_000);
    expect(await test.statuses(endpoint)).toEqual(['stopped']);
    const billed = test.world.ledger.cost();
    await test.clock.advance(3_600_000);
    // 40 GB at 0.15 USD a GB and month of 30 days.
    expect(test.world.ledger.cost() - billed).toBeCloseTo((40 * 0.15) / 720, 4);
    expect(test.world.vast.truth().spend).toBeCloseTo(test.world.ledger.cost(), 3);
    expect(await test.run('/route/', { endpoint: 'davit-x', cost: 100 })).not.toHaveProperty('url');
    await test.clock.advance(3_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
    expect(test.world.ledger.everCreated()).toHaveLength(1);
  });

  it('replaces a worker whose machine died, and reboots one whose server crashed', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve();
    await test.clock.advance(5_000);
    const [machine] = test.world.cloud.running();
    if (machine) test.world.cloud.setFault(machine, { kind: 'crash' });
    expect(await test.statuses(endpoint)).toEqual(['error']);
    await test.clock.advance(5_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
    if (machine) await test.world.cloud.end(machine, 'killed');
    await test.clock.advance(5_000);
    expect(await test.statuses(endpoint)).toEqual(['idle']);
    expect(test.world.ledger.report()).toMatchObject({ running: 1, everCreated: 2 });
  });

  it('deletes a workergroup with its workers, and says which it failed to delete', async () => {
    const test = new VastTest();
    const { endpoint, group } = await test.serve();
    await test.clock.advance(5_000);
    test.world.vast.options.failedOnDelete = 1;
    const failed = await test.ask('DELETE', `/workergroups/${group}/`);
    expect(failed).toMatchObject({ success: true, deleted_workers: [], failed_workers: [expect.any(Number)] });
    await test.clock.advance(5_000);
    expect(test.world.ledger.running()).toHaveLength(1);
    expect(await test.http('DELETE', `${CONSOLE}/workergroups/${group}/`, test.world.keys.vast)).toMatchObject({
      status: 404,
    });
    test.world.vast.options.failedOnDelete = 0;
    await test.ask('DELETE', `/endptjobs/${endpoint}/`);
    await test.clock.advance(1_000);
    expect(test.world.ledger.running()).toEqual([]);
    expect(await test.ask('GET', '/instances/')).toMatchObject({ instances: [] });
  });

  it('ends a rental that was under way when the endpoint was deleted', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve();
    await test.clock.advance(450);
    expect(test.world.ledger.running()).toHaveLength(1);
    await test.ask('DELETE', `/endptjobs/${endpoint}/`);
    await test.clock.advance(5_000);
    expect(test.world.ledger.report()).toMatchObject({ running: 0, everCreated: 1 });
  });

  it('shows changes on the run host only after a while, as a message and not as an empty list', async () => {
    const test = new VastTest();
    const { result } = await test.ask('POST', '/endptjobs/', { endpoint_name: 'davit-x' });
    const early = await test.run('/get_endpoint_workers/', { id: result });
    expect(early).toEqual({ error_msg: 'endpoint is not ready' });
    await test.clock.advance(200);
    expect(await test.run('/get_endpoint_workers/', { id: result })).toEqual([]);
    expect(await test.json('POST', `${RUN}/get_endpoint_workers/`, 'wrong', { id: result })).toMatch(
      /^authenticate_endpoint/,
    );
  });

  it('puts live secrets into its rows and lists rows of every endpoint', async () => {
    const test = new VastTest();
    const { endpoint } = await test.serve();
    await test.clock.advance(5_000);
    const { results } = (await test.ask('GET', '/endptjobs/')) as { results: { api_key: string }[] };
    expect(results).toMatchObject([{ id: endpoint, cold_workers: 1, max_queue_time: 30, endpoint_state: 'active' }]);
    expect(results[0]?.api_key).toMatch(/^[0-9a-f]{48}$/);
    expect(await test.ask('GET', '/autojobs/')).toMatchObject({
      results: [{ endpoint_id: endpoint, endpoint_name: 'davit-x', search_query: { gpu_ram: { gte: 24 } } }],
    });
    expect(await test.ask('GET', '/instances/')).toMatchObject({
      instances: [
        {
          actual_status: 'running',
          template_hash_id: test.world.vast.standardTemplateHash,
          jupyter_token: expect.any(String),
        },
      ],
    });
  });

  it('keeps the id and changes the hash when a template is edited, and forgets the old hash', async () => {
    const test = new VastTest();
    const fields = { name: 'mine', image: 'vllm/vllm-openai', args_str: '--model a/b --port 9000' };
    const { template } = (await test.ask('POST', '/template/', fields)) as {
      template: { id: number; hash_id: string };
    };
    const filter = encodeURIComponent(JSON.stringify({ hash_id: { eq: template.hash_id } }));
    expect(await test.ask('GET', `/template/?select_filters=${filter}`)).toMatchObject({ templates_found: 1 });
    const edit = { hash_id: template.hash_id, args_str: '--model a/c' };
    const edited = (await test.ask('PUT', '/template/', edit)) as { template: { id: number; hash_id: string } };
    expect(edited.template.id).toBe(template.id);
    expect(edited.template.hash_id).not.toBe(template.hash_id);
    expect(await test.ask('GET', `/template/?select_filters=${filter}`)).toMatchObject({ templates_found: 0 });
  });

  it('moves workers to the new template one after another when told to', async () => {
    const test = new VastTest();
    const { endpoint, group } = await test.serve({ cold_workers: 2 });
    await test.clock.advance(5_000);
    const next = { name: 'next', image: 'vllm/vllm-openai', args_str: '--model a/b --served-model-name next' };
    const { template } = (await test.ask('POST', '/template/', next)) as {
      template: { id: number; hash_id: string };
    };
    await test.ask('PUT', `/workergroups/${group}/`, { endpoint_id: endpoint, template_id: template.id });
    const trigger = { workergroup_id: group };
    expect(await test.run('/update_workers/', trigger)).toEqual({ success: true, workers_to_update: 2 });
    await test.clock.advance(100);
    expect((await test.statuses(endpoint)).toSorted()).toEqual(['idle', 'update_rebooting']);
    await test.clock.advance(10_000);
    expect(await test.statuses(endpoint)).toEqual(['idle', 'idle']);
    expect(await test.ask('GET', '/instances/')).toMatchObject({
      instances: [{ template_hash_id: template.hash_id }, { template_hash_id: template.hash_id }],
    });
  });

  it.each([
    [undefined, 403, 'This action requires login.'],
    ['wrong', 404, 'Invalid user key'],
  ])('answers the key %s with %i and auth_error', async (key, status, msg) => {
    const answer = await new VastTest().http('GET', `${CONSOLE}/endptjobs/`, key);
    if (typeof answer === 'string') throw new Error(answer);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ success: false, error: 'auth_error', msg });
  });

  it('refuses calls that follow too closely, without Retry-After, when told to', async () => {
    const test = new VastTest({ minIntervalScale: 1, emptyEndpointList: 'empty' });
    await test.ask('GET', '/endptjobs/');
    const answer = await test.http('GET', `${CONSOLE}/endptjobs/`, test.world.keys.vast);
    expect(answer).toMatchObject({ status: 429, body: 'API requests too frequent: endpoint threshold=3.0' });
    expect(answer).not.toHaveProperty('headers.retry-after');
    await test.clock.advance(3_000);
    expect(await test.ask('GET', '/endptjobs/')).toEqual({ status: 200, success: true, results: [] });
  });
});
