import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { undiciHttpClient } from './undici-http.js';

const file = (name: string): string => readFileSync(new URL(`./testing/tls/${name}`, import.meta.url), 'utf8');

describe('a server whose certificate goes back to an authority of its own', () => {
  let server: Server;
  let url = '';
  const http = undiciHttpClient();
  beforeAll(async () => {
    server = createServer({ cert: file('worker.pem'), key: file('worker-key.pem') }, (_, answer) =>
      answer.end('hello'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A listening server of TCP has an address of this form.
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const get = (ca?: string) =>
    http.request({ method: 'GET', url, timeoutMs: 10_000, ...(ca === undefined ? {} : { ca }) });

  test('is trusted by the exchange that names the authority, and by no other', async () => {
    expect(await get(file('worker-root.pem'))).toMatchObject({ kind: 'response', status: 200, body: 'hello' });
    expect(await get()).toMatchObject({ kind: 'failure', reason: 'tls' });
    expect(await get(file('worker.pem'))).toMatchObject({ kind: 'failure', reason: 'tls' });
  });

  test('is not trusted under another name than its certificate has', async () => {
    const asName = { method: 'GET', url: url.replace('127.0.0.1', 'localhost'), timeoutMs: 10_000 } as const;
    expect(await http.request({ ...asName, ca: file('worker-root.pem') })).toMatchObject({ kind: 'failure' });
  });
});
