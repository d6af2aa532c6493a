import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { replayPolicy } from '@davit/contracts';
import { readManifest } from '../manifest.js';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const PAGE = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/how-to/look-back.md'), 'utf8');
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);
const COMMANDS = blocks('sh')
  .flatMap((code) => code.split('\n'))
  .filter((line) => line.startsWith('npx davit '))
  .map((line) => line.replace(/\s+#.*$/, '').slice('npx davit '.length));
const NOT_FOUND = 3;

collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

/** As a shell takes it apart, as far as the page goes. */
const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);

describe('the page on looking back', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'davit-look-back-'));
  const [policy = ''] = blocks('yaml');
  const file = path.join(folder, 'stricter.yaml');
  writeFileSync(file, policy);
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(COMMANDS)('davit %s is a question that the server is asked', async (command) => {
    api = await answering({});
    const words = wordsOf(command).map((word) => (word === 'stricter.yaml' ? file : word));
    expect(await run(['--url', api.url, ...words])).toBe(NOT_FOUND);
    expect(api.asked[0]).toMatch(/^(GET|POST) \/v1\//);
  });

  test('has a policy that is one', () => {
    expect(replayPolicy.parse(readManifest(file))).toMatchObject({ tenantBudget: null, verdict: { latencyP95: 1.1 } });
  });
});
