import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
