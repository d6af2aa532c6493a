import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseRecordedEvent } from '@davit/contracts';
import { receiptFiles } from '@davit/domain';
import { mkdtemp, readFile, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const ID = 'default/qwen-2-1';
const event = parseRecordedEvent({
  ...{ specversion: '1.0', id: '00000000-0000-7000-8000-000000000001', source: '/davit/vast-serverless' },
  ...{ type: 'davit.rollout.refused', subject: ID, time: '2027-01-15T08:00:00.000Z', tenant: 'default' },
  ...{ dataschema: 'davit:rollout.refused:v1', stream: `rollout/${ID}`, version: 1, position: 7 },
  data: {
    ...{ rolloutId: ID, deployment: 'default/qwen', revision: 2, fromRevision: 1, replicaId: 'default/qwen-1-0-1' },
    ...{ code: 'not-serving', detail: 'nothing serves yet', remedy: 'Wait until it serves.' },
  },
});
const files = receiptFiles({ events: [event], evidence: [] }) ?? {};

const printed = collectOutput();
let api: Answering | undefined;
let directory = '';
const made: string[] = [];
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'davit-receipt-'));
  made.push(directory);
});
afterEach(() => api?.close());
afterAll(() => Promise.all(made.map((each) => rm(each, { recursive: true }))));

async function fetched(answer: Readonly<Record<string, string>> = files): Promise<number> {
  api = await answering({ [`GET /v1/rollouts/${ID}/receipt`]: () => ({ rollout: ID, files: answer }) });
  return run(['receipt', 'qwen-2-1', '-o', directory, '--url', api.url]);
}
const verified = (...more: string[]): Promise<number> => run(['receipt', 'verify', directory, ...more]);

test('a receipt is written as it was answered, and verifies without a server', async () => {
  expect(await fetched()).toBe(0);
  expect(await readFile(path.join(directory, 'receipt.md'), 'utf8')).toBe(files['receipt.md']);
  expect(await verified()).toBe(0);
  expect(printed.out()).toContain('follow from what was measured');
});

test('a changed byte, a removed file and an added one end with code 7, and each is named', async () => {
  await fetched();
  const receipt = path.join(directory, 'receipt.json');
  await writeFile(receipt, (await readFile(receipt, 'utf8')).replace('"refused"', '"accepted"'));
  await unlink(path.join(directory, 'receipt.md'));
  await writeFile(path.join(directory, 'more.md'), 'x');
  expect(await verified()).toBe(7);
  expect(printed.out()).toMatch(/files +receipt.md: is missing/);
  expect(printed.out()).toMatch(/files +more.md: is no part of the receipt/);
  expect(printed.out()).toMatch(/receipt +receipt.json: final.state: does not follow/);
});

test('findings are told to scripts, too', async () => {
  await fetched();
  await writeFile(path.join(directory, 'events.json'), '[]');
  expect(await verified('--json')).toBe(7);
  const [answer] = printed.out().trim().split('\n').slice(-2);
  expect(JSON.parse(answer ?? '')).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ check: 'digests', where: 'events.json' })]),
  });
});

test('what a server answers is written nowhere but into the directory', async () => {
  expect(await fetched({ ...files, '../outside.md': 'x' })).toBe(1);
  expect(await readdir(directory)).toEqual([]);
});

test('a directory that holds something is left alone', async () => {
  await writeFile(path.join(directory, 'mine.txt'), 'x');
  expect(await fetched()).toBe(2);
  expect(await readdir(directory)).toEqual(['mine.txt']);
});

test('a directory that is not there is bad input', async () => {
  expect(await run(['receipt', 'verify', path.join(directory, 'nowhere')])).toBe(2);
});
