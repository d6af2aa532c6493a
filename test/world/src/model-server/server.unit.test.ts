import { describe, expect, it } from '@jest/globals';
import { sealedKey } from './keys.js';
import { CHAT, TestServer } from './test-server.js';

const named = (family: string, labels = ''): string => `vllm:${family}{engine="0"${labels},model_name="m"}`;

describe('the model server', () => {
  it('answers whole, with usage, and the same as a stream of events', async () => {
    const server = new TestServer();
    const whole = JSON.parse((await server.answer('POST', '/v1/chat/completions', CHAT)).body) as {
      choices: { message: { content: string }; finish_reason: string }[];
      usage: object;
    };
    expect(whole.choices[0]?.finish_reason).toBe('stop');
    expect(whole.usage).toMatchObject({ completion_tokens: 11 });
    const { body } = await server.answer('POST', '/v1/chat/completions', {
      ...CHAT,
      stream: true,
      stream_options: { include_usage: true },
    });
    const events = body
      .trim()
      .split('\n\n')
      .map((event) => event.replace(/^data: /, ''));
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events
      .slice(0, -1)
      .map((event) => JSON.parse(event) as { choices: { delta: { content: string } }[]; usage?: object });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
      whole.choices[0]?.message.content,
    );
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
  });

  it('answers plain completions and stops at max_tokens', async () => {
    const { body } = await new TestServer().answer('POST', '/v1/completions', {
      model: 'm',
      prompt: 'hi',
      max_tokens: 2,
    });
    expect(JSON.parse(body)).toMatchObject({
      object: 'text_completion',
      choices: [{ text: 'Hello!', finish_reason: 'length' }],
    });
  });

  it.each([
    [{ ...CHAT, model: 'other' }, 404, 'The model `other` does not exist.'],
    [{ model: 'm' }, 400, 'Field required: messages'],
    [{ ...CHAT, max_tokens: 0 }, 400, 'max_tokens must be at least 1.'],
    [{ ...CHAT, max_tokens: 9000 }, 400, "This model's maximum context length is 8192 tokens."],
    ['text', 400, 'The body is not a JSON object.'],
  ])('refuses %j with %i', async (body, status, message) => {
    const answer = await new TestServer().answer('POST', '/v1/chat/completions', body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { message, code: status } });
  });

  it('guards /v1 alone with its key', async () => {
    const server = new TestServer({ apiKey: sealedKey('s', 'right') });
    expect(await server.answer('GET', '/v1/models')).toEqual({ status: 401, body: '{"error":"Unauthorized"}' });
    expect(await server.answer('GET', '/v1/models', '', { authorization: 'Bearer wrong' })).toMatchObject({
      status: 401,
    });
    expect(await server.answer('GET', '/v1/models', '', { authorization: 'Bearer right' })).toMatchObject({
      status: 200,
    });
    for (const path of ['/health', '/metrics', '/version', '/ping'])
      expect(await server.answer('GET', path)).toMatchObject({ status: 200 });
  });

  it('keeps sums right: waiting by reason, +Inf buckets, requests by outcome, tokens', async () => {
    const server = new TestServer();
    for (let sent = 0; sent < 5; sent += 1) void server.send('POST', '/v1/chat/completions', CHAT);
    await server.clock.advance(0);
    const { body: text } = await server.ask('GET', '/metrics');
    expect(text).toContain(`${named('num_requests_running')} 2.0\n`);
    expect(text).toContain(`${named('num_requests_waiting')} 3.0\n`);
    expect(text).toContain('reason="capacity"} 3.0\n');
    await server.clock.advance(1_000);
    const done = await server.metrics();
    expect(done.get(named('num_requests_running'))).toBe(0);
    expect(done.get(named('num_requests_waiting'))).toBe(0);
    expect(done.get(`vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"}`)).toBe(5);
    expect(done.get(named('generation_tokens_total'))).toBe(55);
    for (const [name, value] of done) {
      if (name.includes('le="+Inf"')) {
        const count = name.replace('_bucket', '_count').replace(',le="+Inf"', '');
        expect([name, done.get(count)]).toEqual([name, value]);
      }
    }
  });

  it('declares each family once', async () => {
    const server = new TestServer();
    await server.answer('GET', '/v1/models');
    await server.answer('GET', '/nothing');
    const { body } = await server.answer('GET', '/metrics');
    const types = body.split('\n').filter((line) => line.startsWith('# TYPE'));
    expect(new Set(types).size).toBe(types.length);
  });

  it.each([
    ['vllm-v0', '{finished_reason="abort",model_name="m"}', 1],
    ['vllm-newest', '{engine="0",finished_reason="abort",model_name="m"}', 0],
  ] as const)('of %s counts a request whose client left as ended where its engine does', async (profile, at, count) => {
    const server = TestServer.of(profile);
    const client = new AbortController();
    void server.send('POST', '/v1/chat/completions', CHAT, {}, client.signal);
    await server.clock.advance(1);
    client.abort();
    await server.clock.advance(0);
    const metrics = await server.metrics();
    expect(metrics.get(`vllm:request_success_total${at}`)).toBe(count);
    expect([...metrics].filter(([series]) => series.startsWith('vllm:num_requests_running'))).toEqual([
      [expect.any(String), 0],
    ]);
  });

  it('when hung stays healthy, never completes, and moves no counter while work piles up', async () => {
    const server = new TestServer();
    await server.answer('POST', '/v1/chat/completions', CHAT);
    server.setFaults({ kind: 'hang' });
    let answered = false;
    void server.send('POST', '/v1/chat/completions', CHAT).then(() => (answered = true));
    await server.clock.advance(600_000);
    expect(answered).toBe(false);
    expect(await server.answer('GET', '/health')).toMatchObject({ status: 200 });
    const metrics = await server.metrics();
    expect(metrics.get(named('num_requests_running'))).toBe(1);
    expect(metrics.get(named('generation_tokens_total'))).toBe(11);
  });

  it('with a dead engine answers 503 for a while and then exits', async () => {
    const server = new TestServer();
    server.setFaults({ kind: 'dead-engine' });
    expect(await server.answer('GET', '/health')).toEqual({ status: 503, body: '' });
    expect(await server.answer('GET', '/v1/models')).toMatchObject({ status: 200 });
    expect(server.exits).toBe(0);
    await server.clock.advance(5_000);
    expect(server.exits).toBe(1);
  });

  it('serves another model when told to, and exits at once on a crash', async () => {
    const server = new TestServer();
    server.setFaults({ kind: 'wrong-model', model: 'impostor' });
    expect(JSON.parse((await server.answer('GET', '/v1/models')).body)).toMatchObject({ data: [{ id: 'impostor' }] });
    expect(await server.answer('POST', '/v1/chat/completions', CHAT)).toMatchObject({ status: 404 });
    server.setFaults({ kind: 'crash' });
    expect(server.exits).toBe(1);
  });
});
