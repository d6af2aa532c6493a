import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { FrontServer } from './front-server.js';

let front: FrontServer;
let base: string;
beforeEach(async () => {
  front = new FrontServer();
  front.prepare((_request, response) => response.end('the application'));
  base = `http://127.0.0.1:${await front.listen(0, '127.0.0.1')}`;
});
afterEach(() => front.close(0));

const get = async (path: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(base + path);
  return { status: response.status, text: await response.text() };
};
const APPLICATION = { status: 200, text: 'the application' };

describe('the port of a service', () => {
  test('says from the first moment that the process lives, and sends everything else away for a while', async () => {
    expect(await get('/livez')).toMatchObject({ status: 200 });
    expect(await get('/readyz')).toMatchObject({ status: 503 });
    expect(await get('/v1/deployments')).toMatchObject({ status: 503 });
  });

  test('lets the application tell of its health, but answers no question before the state is restored', async () => {
    front.openHealth();
    expect(await get('/readyz?verbose=1')).toEqual(APPLICATION);
    expect(await get('/metrics')).toEqual(APPLICATION);
    const refused = await get('/v1/deployments');
    expect(refused.status).toBe(503);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'starting', status: 503 });
  });

  test('answers everything once it is opened', async () => {
    front.openHealth();
    front.open();
    expect(await get('/v1/deployments')).toEqual(APPLICATION);
  });
});

describe('what is no request', () => {
  /** Sends raw bytes and reads all that comes back. */
  async function raw(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  }

  test.each([
    ['headers beyond all measure', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers-too-large'],
    ['an address beyond all measure', `GET /${'y'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 431, 'headers-too-large'],
    ['something else than HTTP', 'hello\r\n\r\n', 400, 'malformed-request'],
  ])('%s: a problem document, and the end of the connection', async (_what, bytes, status, code) => {
    const [head = '', body = ''] = (await raw(bytes)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} .*content-type: application/problem\\+json`, 's'));
    expect(JSON.parse(body)).toMatchObject({ status, code });
  });

  test('a request that does not come in time is told so', async () => {
    await front.close(0);
    front = new FrontServer({ headersMs: 50, requestMs: 50, checkEveryMs: 20 });
    base = `http://127.0.0.1:${await front.listen(0, '127.0.0.1')}`;
    const answer = await raw('GET / HTTP/1.1\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"code":"request-timeout"');
  });
});
