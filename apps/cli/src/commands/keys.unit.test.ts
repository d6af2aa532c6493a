import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { run } from '../run.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
const SECRET = `davit_abcdefghij12_${'0'.repeat(64)}`;
const key = {
  ...{ id: 'abcdefghij12', name: 'ci@search', role: 'operator', tenants: ['search'], state: 'usable' },
  ...{ createdAt: '2026-09-01T16:00:00.000Z', createdBy: 'root', expiresAt: null, rotatedAt: null },
  ...{ previousUntil: null, revokedAt: null, position: 7 },
};

let folder: string;
let heard: { readonly url: string | undefined; readonly authorization: string | undefined; readonly body: unknown }[];
let answer: { readonly status: number; readonly body: unknown };
const server = createServer((request: IncomingMessage, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => {
    const { url, headers } = request;
    heard.push({ url, authorization: headers.authorization, body: text === '' ? undefined : JSON.parse(text) });
    response.writeHead(answer.status, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(answer.body));
  });
});

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'davit-keys-'));
  heard = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  delete process.env['DAVIT_API_KEY'];
  delete process.env['DAVIT_API_KEY_FILE'];
  rmSync(folder, { recursive: true });
  server.close();
  await once(server, 'close');
});

const davit = (...argv: string[]): Promise<number> =>
  run([...argv, '--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`]); // a server on a port
const problem = (status: number, code: string, detail: string) => ({
  status,
  body: { type: 'about:blank', title: 'No', status, code, detail },
});

describe('a key of the caller', () => {
  test('is sent from the variable, from the file of the variable, and from the file of the option, which wins', async () => {
    answer = { status: 200, body: { position: 1, items: [] } };
    writeFileSync(path.join(folder, 'one'), 'from-a-file\n');
    writeFileSync(path.join(folder, 'two'), 'from-the-option\n');
    process.env['DAVIT_API_KEY_FILE'] = path.join(folder, 'one');
    expect(await davit('keys', 'list')).toBe(0);
    process.env['DAVIT_API_KEY'] = 'from-the-variable';
    expect(await davit('keys', 'list')).toBe(0);
    expect(await davit('keys', 'list', '--key-file', path.join(folder, 'two'))).toBe(0);
    const sent = heard.map(({ authorization }) => authorization);
    expect(sent).toEqual(['Bearer from-a-file', 'Bearer from-the-variable', 'Bearer from-the-option']);
  });

  test('that cannot be read is told by its file, and nothing is asked', async () => {
    expect(await davit('keys', 'list', '--key-file', path.join(folder, 'none'))).toBe(2);
    expect(printed.err()).toMatch(/--key-file ".*none" cannot be read \(ENOENT\)/);
    expect(heard).toEqual([]);
  });

  test('that is missing or may not is told with what to do', async () => {
    answer = problem(401, 'unauthenticated', 'Send an API key');
    expect(await davit('alarms')).toBe(3);
    expect(printed.err()).toMatch(/Send an API key\n +Put an API key into a file and name it in DAVIT_API_KEY_FILE/);
    answer = problem(403, 'forbidden', 'needs the role admin');
    expect(await davit('keys', 'list')).toBe(3);
    expect(printed.err()).toMatch(/needs the role admin\n +Ask an administrator/);
  });
});

describe('keys', () => {
  test('are made for some tenants or for all, and never for both or none', async () => {
    answer = { status: 201, body: { key, secret: SECRET } };
    expect(await davit('keys', 'create', 'ci@search', '--role', 'operator', '--tenant', 'search')).toBe(0);
    expect(printed.out()).toContain(SECRET);
    expect(heard[0]?.body).toEqual({ name: 'ci@search', role: 'operator', tenants: ['search'], expiresAt: null });
    expect(await davit('keys', 'create', 'x', '--role', 'viewer')).toBe(2);
    expect(await davit('keys', 'create', 'x', '--role', 'viewer', '--tenant', 'a', '--all-tenants')).toBe(2);
    expect(heard).toHaveLength(1);
  });

  test('expire after so many days, or at an instant', async () => {
    answer = { status: 201, body: { key, secret: SECRET } };
    const create = (...more: string[]) => davit('keys', 'create', 'x', '--role', 'viewer', '--all-tenants', ...more);
    expect(await create('--expires', '2027-01-31T00:00:00Z')).toBe(0);
    expect(heard[0]?.body).toMatchObject({ tenants: 'all', expiresAt: '2027-01-31T00:00:00.000Z' });
    expect(await create('--expires', '90d')).toBe(0);
    expect(heard[1]?.body).toMatchObject({ expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
    expect(await create('--expires', 'soon')).toBe(2);
    expect(printed.err()).toContain('--expires "soon" is no time');
  });

  test('are listed, rotated and revoked', async () => {
    answer = { status: 200, body: { position: 7, items: [key] } };
    expect(await davit('keys', 'list')).toBe(0);
    expect(printed.out()).toMatch(/abcdefghij12 +ci@search +operator +search +usable/);
    answer = { status: 200, body: { key: { ...key, previousUntil: '2026-09-01T17:00:00.000Z' }, secret: SECRET } };
    expect(await davit('keys', 'rotate', key.id, '--overlap', '60')).toBe(0);
    expect(printed.out()).toContain('The secret before it works until 2026-09-01T17:00:00.000Z.');
    answer = { status: 200, body: { key: { ...key, state: 'revoked', revokedAt: '2026-09-01T17:00:00.000Z' } } };
    expect(await davit('keys', 'revoke', key.id, '--reason', 'lost')).toBe(0);
    expect(heard.slice(1).map(({ url, body }) => [url, body])).toEqual([
      ['/v1/keys/abcdefghij12/rotate', { overlapSeconds: 60 }],
      ['/v1/keys/abcdefghij12/revoke', { reason: 'lost' }],
    ]);
  });
});
