import { describe, expect, it } from '@jest/globals';
import { seeded } from '../clock.js';
import { wholeBody, type WireReply } from '../http/wire.js';
import { ManualClock } from '../manual-clock.js';
import { seal } from '../seal.js';
import { MODEL_SERVER_DEFAULTS, type ModelServerConfig } from './config.js';
import { number } from './metrics.js';
import { ModelServer } from './server.js';

const CONFIG: ModelServerConfig = {
  ...MODEL_SERVER_DEFAULTS,
  servedModelNames: ['m'],
  root: 'org/m',
  apiKey: null,
  loadMs: 0,
  maxRunning: 2,
};
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'one two three' }] };

class Rig {
  readonly clock = new ManualClock();
  exits = 0;
  readonly server: ModelServer;

  constructor(config: Partial<ModelServerConfig> = {}) {
    this.server = new ModelServer({ ...CONFIG, ...config }, this.clock, seeded(1), () => (this.exits += 1));
  }

  send(method: string, path: string, body: unknown = '', headers = {}, signal?: AbortSignal): Promise<WireReply> {
    const url = new URL(path, 'http://m');
    return this.server.handle({ method, url, headers, body: JSON.stringify(body), signal });
  }

  /** The whole answer, with the clock moved far enough. */
  async answer(
    method: string,
    path: string,
    body: unknown = '',
    headers = {},
  ): Promise<{ status: number; body: string }> {
    const pending = this.send(method, path, body, headers).then(async (reply) => {
      if (reply.kind !== 'response') throw new Error(reply.kind);
      return { status: reply.status, body: await wholeBody(reply.body) };
    });
    await this.clock.advance(1_000);
    return pending;
  }

  async metrics(): Promise<Map<string, number>> {
    const { body } = await this.answer('GET', '/metrics');
    const samples = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  }
}

const named = (family: string, labels = ''): string => `vllm:${family}{engine="0"${labels},model_name="m"}`;

describe('the model server', () => {
  it('answers whole, with usage, and the same as a stream of events', async () => {
    const rig = new Rig();
    const whole = JSON.parse((await rig.answer('POST', '/v1/chat/completions', CHAT)).body) as {
      choices: { message: { content: string }; finish_reason: string }[];
      usage: object;
    };
    expect(whole.choices[0]?.finish_reason).toBe('stop');
    expect(whole.usage).toMatchObject({ completion_tokens: 11 });
    const { body } = await rig.answer('POST', '/v1/chat/completions', {
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
    const { body } = await new Rig().answer('POST', '/v1/completions', { model: 'm', prompt: 'hi', max_tokens: 2 });
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
    const answer = await new Rig().answer('POST', '/v1/chat/completions', body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { message, code: status } });
  });

  it('guards /v1 alone with its key', async () => {
    const rig = new Rig({ apiKey: { salt: 's', sealed: seal('s', 'right') } });
    expect(await rig.answer('GET', '/v1/models')).toEqual({ status: 401, body: '{"error":"Unauthorized"}' });
    expect(await rig.answer('GET', '/v1/models', '', { authorization: 'Bearer wrong' })).toMatchObject({ status: 401 });
    expect(await rig.answer('GET', '/v1/models', '', { authorization: 'Bearer right' })).toMatchObject({ status: 200 });
    for (const path of ['/health', '/metrics', '/version', '/ping'])
      expect(await rig.answer('GET', path)).toMatchObject({ status: 200 });
  });

  it('keeps sums right: waiting by reason, +Inf buckets, requests by outcome, tokens', async () => {
    const rig = new Rig();
    for (let sent = 0; sent < 5; sent += 1) void rig.send('POST', '/v1/chat/completions', CHAT);
    await rig.clock.advance(0);
    const gauges = await rig.server.handle({ method: 'GET', url: new URL('http://m/metrics'), headers: {}, body: '' });
    if (gauges.kind !== 'response') throw new Error(gauges.kind);
    const text = await wholeBody(gauges.body);
    expect(text).toContain(`${named('num_requests_running')} 2.0\n`);
    expect(text).toContain(`${named('num_requests_waiting')} 3.0\n`);
    expect(text).toContain('reason="capacity"} 3.0\n');
    await rig.clock.advance(1_000);
    const done = await rig.metrics();
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
    const rig = new Rig();
    await rig.answer('GET', '/v1/models');
    await rig.answer('GET', '/nothing');
    const { body } = await rig.answer('GET', '/metrics');
    const types = body.split('\n').filter((line) => line.startsWith('# TYPE'));
    expect(new Set(types).size).toBe(types.length);
  });

  it('counts a request whose client left as aborted', async () => {
    const rig = new Rig();
    const client = new AbortController();
    void rig.send('POST', '/v1/chat/completions', CHAT, {}, client.signal);
    await rig.clock.advance(1);
    client.abort();
    await rig.clock.advance(0);
    const metrics = await rig.metrics();
    expect(metrics.get(`vllm:request_success_total{engine="0",finished_reason="abort",model_name="m"}`)).toBe(1);
    expect(metrics.get(named('num_requests_running'))).toBe(0);
  });

  it('when hung stays healthy, never completes, and moves no counter while work piles up', async () => {
    const rig = new Rig();
    await rig.answer('POST', '/v1/chat/completions', CHAT);
    rig.server.setFault({ kind: 'hang' });
    let answered = false;
    void rig.send('POST', '/v1/chat/completions', CHAT).then(() => (answered = true));
    await rig.clock.advance(600_000);
    expect(answered).toBe(false);
    expect(await rig.answer('GET', '/health')).toMatchObject({ status: 200 });
    const metrics = await rig.metrics();
    expect(metrics.get(named('num_requests_running'))).toBe(1);
    expect(metrics.get(named('generation_tokens_total'))).toBe(11);
  });

  it('with a dead engine answers 503 for a while and then exits', async () => {
    const rig = new Rig();
    rig.server.setFault({ kind: 'dead-engine' });
    expect(await rig.answer('GET', '/health')).toEqual({ status: 503, body: '' });
    expect(await rig.answer('GET', '/v1/models')).toMatchObject({ status: 200 });
    expect(rig.exits).toBe(0);
    await rig.clock.advance(5_000);
    expect(rig.exits).toBe(1);
  });

  it('serves another model when told to, and exits at once on a crash', async () => {
    const rig = new Rig();
    rig.server.setFault({ kind: 'wrong-model', model: 'impostor' });
    expect(JSON.parse((await rig.answer('GET', '/v1/models')).body)).toMatchObject({ data: [{ id: 'impostor' }] });
    expect(await rig.answer('POST', '/v1/chat/completions', CHAT)).toMatchObject({ status: 404 });
    rig.server.setFault({ kind: 'crash' });
    expect(rig.exits).toBe(1);
  });
});

describe('numbers in metrics', () => {
  it.each([
    [8, '8.0'],
    [0.5, '0.5'],
    [1_234_567, '1.234567e+06'],
    [1_000_000, '1e+06'],
    [999_999, '999999.0'],
    [12_345_678_901, '1.2345678901e+010'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NaN, 'NaN'],
  ])('%d prints as %s', (value, text) => {
    expect(number(value)).toBe(text);
  });
});
