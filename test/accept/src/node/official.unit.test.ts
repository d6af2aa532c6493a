import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ChecksumError, fetchOfficial } from './official.js';

const ARCHIVE = `node-v22.0.0-${process.platform}-${process.arch}.tar.gz`;

let root: string;
let server: Server;
let dist: string;
let archive: Buffer;
let checksums: string;
beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'davit-node-'));
  mkdirSync(path.join(root, 'node-v22', 'bin'), { recursive: true });
  writeFileSync(path.join(root, 'node-v22', 'bin', 'node'), 'the program');
  await promisify(execFile)('tar', ['-czf', 'archive', 'node-v22'], { cwd: root });
  archive = readFileSync(path.join(root, 'archive'));
  server = createServer((request, response) => {
    const content = { [`/v22.0.0/${ARCHIVE}`]: archive, '/v22.0.0/SHASUMS256.txt': checksums }[request.url ?? ''];
    response.writeHead(content === undefined ? 404 : 200).end(content);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  dist = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // of a server that listens on TCP
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true });
});
const listed = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
beforeEach(() => {
  checksums = `${listed('other')}  node-v22.0.0.pkg\n${listed(archive)}  ${ARCHIVE}\n`;
});

test('a release of Node is unpacked where it is the published one', async () => {
  const folder = path.join(root, 'cache', 'node');
  await fetchOfficial('22.0.0', folder, dist);
  expect(readFileSync(path.join(folder, 'bin', 'node'), 'utf8')).toBe('the program');
  expect(readdirSync(path.join(root, 'cache'))).toEqual(['node']);
});

test('an archive with another checksum is refused, and nothing of it is kept', async () => {
  checksums = `${listed('what was published')}  ${ARCHIVE}\n`;
  const folder = path.join(root, 'refused', 'node');
  await expect(fetchOfficial('22.0.0', folder, dist)).rejects.toThrow(ChecksumError);
  expect(existsSync(path.join(root, 'refused'))).toBe(false);
});

test.each([
  ['a release that is not published for this kind of machine', '22.0.0', 'no release'],
  ['a version that there is not', '23.0.0', 'was answered 404'],
])('%s is told as such', async (_what, version, why) => {
  checksums = '';
  await expect(fetchOfficial(version, path.join(root, 'none'), dist)).rejects.toThrow(why);
});
