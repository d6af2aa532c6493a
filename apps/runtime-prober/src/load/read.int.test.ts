import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { undiciHttpClient } from '@davit/ports';
import { eventually } from '@davit/test-support';
import { engineOf } from '../engines/registry.js';
import { fetchLoad } from './read.js';

const vllm = engineOf({ engine: 'vllm' });
const USEFUL = 'vllm:num_requests_running{engine="0"} 6\nvllm:num_requests_waiting{engine="0"} 4\n';
const long = (bytes: number): string => `vllm:cache_config_info{engine="0",x="${'a'.repeat(bytes)}"} 1.0\n${USEFUL}`;

let server: Server | undefined;
const http = undiciHttpClient();
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
  await Promise.resolve();
});

/** Serves one body in pieces, as long as somebody reads; tells how much was handed over before the reader went. */
async function serve(body: Buffer, headers: Record<string, string> = {}) {
  const sent = { bytes: 0, closedEarly: false };
  const started = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', ...headers });
    response.on('close', () => (sent.closedEarly = !response.writableFinished));
    const next = (at: number): void => {
      if (response.destroyed) return;
      if (at >= body.length) return void response.end();
      const piece = body.subarray(at, at + 256 * 1024);
      sent.bytes += piece.length;
      response.write(piece, () => next(at + piece.length));
    };
    next(0);
  });
  server = started;
  await once(started.listen(0, '127.0.0.1'), 'listening');
  const address = started.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  const target = { url: `http://127.0.0.1:${address.port}`, expectedModel: 'm' };
  return { sent, load: () => fetchLoad(vllm, target, http, 20_000) };
}

describe('metrics over a real connection', () => {
  it('are read from a body in many pieces', async () => {
    const { load } = await serve(Buffer.from(long(3 * 1024 * 1024)));
    expect(await load()).toMatchObject({ running: 6, waiting: 4 });
  });

  it('of 22 MiB are unknown, and reading stops at the cap: the server sees the connection close', async () => {
    const body = Buffer.from(long(22 * 1024 * 1024));
    const { load, sent } = await serve(body);
    expect(await load()).toMatchObject({ running: null, waiting: null });
    await eventually(() => sent.closedEarly);
    expect(sent.bytes).toBeLessThan(body.length);
  });

  it('that were compressed without being asked for are read, and the cap is of what comes out', async () => {
    const small = await serve(gzipSync(USEFUL), { 'content-encoding': 'gzip' });
    expect(await small.load()).toMatchObject({ running: 6, waiting: 4 });
    server?.close();
    const bomb = gzipSync(long(22 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(64 * 1024);
    const { load } = await serve(bomb, { 'content-encoding': 'gzip' });
    expect(await load()).toMatchObject({ running: null, waiting: null });
  });

  it('that break off in the middle say nothing', async () => {
    const { load } = await serve(Buffer.from('vllm:num_requests_running{engine="0"} 6\nvllm:num_requests_wai'));
    expect(await load()).toMatchObject({ running: null, waiting: null });
  });
});
