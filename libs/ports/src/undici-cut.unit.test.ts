import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { undiciHttpClient } from './undici-http.js';

describe('a server that does not answer', () => {
  let server: Server;
  let url = '';
  const http = undiciHttpClient();
  const asked = { count: 0, tell: (): void => undefined };
  beforeAll(async () => {
    server = createServer(() => {
      asked.count += 1;
      asked.tell();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening server of TCP has an address of this form.
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await http.close();
  });

  test('is left as soon as the exchange is cut', async () => {
    const controller = new AbortController();
    asked.tell = () => controller.abort();
    const outcome = await http.request({ method: 'GET', url, timeoutMs: 600_000, signal: controller.signal });
    expect(outcome.kind).toBe('failure');
    expect(asked.count).toBe(1);
    const before = await http.request({ method: 'GET', url, timeoutMs: 600_000, signal: controller.signal });
    expect(before.kind).toBe('failure');
    expect(asked.count).toBe(1);
  });

  test('is left in time, though what is left of a deadline is no whole number', async () => {
    asked.tell = () => undefined;
    expect(await http.request({ method: 'GET', url, timeoutMs: 20.25 })).toMatchObject({ reason: 'timeout' });
    expect(await http.request({ method: 'GET', url, timeoutMs: -0.5 })).toMatchObject({ reason: 'timeout' });
  });
});
