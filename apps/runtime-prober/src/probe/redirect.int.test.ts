import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { undiciHttpClient } from '@davit/ports';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { engineOf } from '../engines/registry.js';
import { fetchLoad } from '../load/read.js';

const METRICS = 'llamacpp:requests_processing 3\nllamacpp:requests_deferred 1\n';
/** The one engine whose metrics want the key. */
const llamacpp = engineOf({ engine: 'llamacpp' });

describe('a redirect of the metrics', () => {
  const http = undiciHttpClient();
  const servers: Server[] = [];
  let seen: { readonly host: string; readonly path: string; readonly key: string | undefined }[];

  beforeEach(() => {
    seen = [];
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  afterAll(() => http.close());

  /** Sends `/metrics` to `location`, and serves metrics on every other path. */
  const serve = async (host: string, location?: string, status = 307): Promise<string> => {
    const server = createServer(({ url = '', headers }, response) => {
      seen.push({ host, path: url, key: headers.authorization });
      if (url === '/metrics' && location !== undefined)
        response.writeHead(status, { location }).end('llamacpp:requests_processing 99\n');
      else response.end(METRICS);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return `http://${host}:${(server.address() as AddressInfo).port}`; // listens on TCP, so it has a port
  };
  const load = (url: string) => fetchLoad(llamacpp, { url, expectedModel: 'm', apiKey: 'canary' }, http, 2_000);

  it.each([307, 308])('%i to the same server is followed, and only what it leads to is read', async (status) => {
    expect(await load(await serve('127.0.0.1', '/metrics/', status))).toMatchObject({ running: 3, waiting: 1 });
    expect(seen.map(({ path }) => path)).toEqual(['/metrics', '/metrics/']);
  });

  it('law-13: to another host is not followed, and the worker key stays where it belongs', async () => {
    const other = await serve('127.0.0.2');
    expect(await load(await serve('127.0.0.1', `${other}/metrics/`))).toMatchObject({ running: null });
    const port = await serve('127.0.0.1');
    expect(await load(await serve('127.0.0.1', `${port}/metrics/`))).toMatchObject({ running: null });
    expect(seen.filter(({ path }) => path === '/metrics/')).toEqual([]);
    expect(seen.map(({ host }) => host)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it('that leads on is not followed for ever', async () => {
    expect(await load(await serve('127.0.0.1', '/metrics'))).toMatchObject({ running: null });
    expect(seen).toHaveLength(2);
  });
});
