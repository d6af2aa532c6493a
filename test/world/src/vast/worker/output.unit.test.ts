import { describe, expect, it } from '@jest/globals';
import { wholeBody, type WireResponse } from '../../http/wire.js';
import { spoiled } from './output.js';

const ANSWER = JSON.stringify({ model: 'qwen3-8b', choices: [{ message: { content: 'yes' } }] });

describe('answers that have become wrong', () => {
  it('an answer that comes in pieces, as over a socket, is changed as a whole', async () => {
    const { status, headers, body } = spoiled(
      reply('application/json', pieces(ANSWER.slice(0, 9), ANSWER.slice(9))),
      'schema',
    );
    expect(status).toBe(200);
    expect(headers).toEqual({ 'content-type': 'application/json' });
    expect(JSON.parse(await wholeBody(body))).toEqual({
      model: 'qwen3-8b',
      outputs: [{ message: { content: 'yes' } }],
    });
  });

  it('each event of a stream is changed, however the pieces are cut', async () => {
    const events = `data: ${ANSWER}\n\ndata: ${ANSWER}\n\ndata: [DONE]\n\n`;
    const { body } = spoiled(
      reply('text/event-stream', pieces(events.slice(0, 30), events.slice(30, 90), events.slice(90))),
      'model',
    );
    const spoilt = ANSWER.replace('qwen3-8b', 'another/model');
    expect(await wholeBody(body)).toBe(`data: ${spoilt}\n\ndata: ${spoilt}\n\ndata: [DONE]\n\n`);
  });
});

const reply = (type: string, body: WireResponse['body']): WireResponse => ({
  kind: 'response',
  status: 200,
  headers: { 'content-type': type, 'content-length': '61' },
  body,
});

async function* pieces(...of: readonly string[]): AsyncGenerator<string> {
  for (const piece of of) yield await Promise.resolve(piece);
}
