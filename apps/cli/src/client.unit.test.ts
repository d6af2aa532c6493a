import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, readQuery } from '@davit/contracts';
import { DavitClient } from './client.js';
import { exitCodes } from './exit-codes.js';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function clientOf(listener: RequestListener): Promise<DavitClient> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server on a port has an address of this shape.
  return new DavitClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test('an answer that breaks off counts as a server that cannot be reached', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"items":');
    setImmediate(() => response.destroy());
  });
  await expect(client.routes()).rejects.toMatchObject({
    exitCode: exitCodes.failure,
    message: expect.stringContaining('cannot reach Davit'),
  });
});

test('a server that is starting is a failure with the reason that it gives', async () => {
  const detail = 'It reads the event log first.';
  const client = await clientOf((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ type: 'about:blank', title: 'Starting', status: 503, code: 'starting', detail }));
  });
  await expect(client.routes()).rejects.toMatchObject({
    exitCode: exitCodes.failure,
    message: expect.stringContaining(detail),
  });
});

test('a server that breaks down over an intent leaves open whether it took effect', async () => {
  const client = await clientOf((_request, response) => {
    response.writeHead(503, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ type: 'about:blank', title: 'Not now', status: 503, code: 'log-unavailable' }));
  });
  const told = await client.apply({ deployment: {} }).catch((error: unknown) => error);
  expect(told).toMatchObject({ exitCode: exitCodes.failure, message: expect.stringContaining('is not known') });
  expect(told).toMatchObject({ message: expect.not.stringContaining('Nothing was changed') });
});

test('a connection that the server closes under a request is no server that is away: what reads is asked again, an intent is not', async () => {
  const asked: string[] = [];
  const client = await clientOf((request, response) => {
    asked.push(request.method ?? '');
    if (asked.length === 1 || request.method === 'POST') request.socket.destroy();
    else response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"title":"gone","status":404}');
  });
  await expect(client.routes()).rejects.toMatchObject({ message: expect.not.stringContaining('cannot reach') });
  expect(asked).toEqual(['GET', 'GET']);
  await expect(client.apply({ deployment: {} })).rejects.toMatchObject({ exitCode: exitCodes.failure });
  expect(asked).toEqual(['GET', 'GET', 'POST']);
});

test('rollouts are asked for page by page, as the contract lets them be', async () => {
  const asked: unknown[] = [];
  const client = await clientOf((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://here');
    asked.push(readQuery(operations.listRollouts.query, Object.fromEntries(searchParams)));
    const next = searchParams.has('after') ? null : 'default/chat-1-1';
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ items: [], position: 9, next }));
  });
  expect(await client.rollouts('default/chat', true)).toEqual([]);
  expect(asked).toMatchObject([
    { ok: true, query: { deployment: 'default/chat', all: true } },
    { ok: true, query: { deployment: 'default/chat', all: true, after: 'default/chat-1-1' } },
  ]);
});
