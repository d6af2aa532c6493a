import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { publishedFile } from '@davit/contracts/published';
import { startLanguageServer } from './language-server.js';

const DOCS = path.resolve(import.meta.dirname, '..', '..', 'docs');
const EXAMPLES = path.join(DOCS, 'examples');
const example = (name: string): string => readFileSync(path.join(EXAMPLES, name), 'utf8');
/** The first line that a page tells people to write. */
const [modeline = ''] =
  /^# yaml-language-server: \$schema=\S+$/m.exec(
    readFileSync(path.join(DOCS, 'how-to', 'use-the-contract.md'), 'utf8'),
  ) ?? [];

let editor: Awaited<ReturnType<typeof startLanguageServer>>;
let served: Server;
const asked: string[] = [];
beforeAll(async () => {
  editor = await startLanguageServer();
  served = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end(publishedFile('deployment.schema.json'));
  }).listen(0, '127.0.0.1');
  await once(served, 'listening');
});
afterAll(async () => {
  await editor.close();
  served.closeAllConnections();
  served.close();
});

const SPECIFICATION = example('qwen3-8b.yaml');
/** The example with one block of `spec` written anew. */
const withBlock = (name: string, lines: string): string =>
  SPECIFICATION.replace(new RegExp(`^  ${name}:.*\\n(?:    .*\\n)*`, 'm'), `  ${name}:\n${lines}\n`);

describe('an editor completes a specification and marks its mistakes', () => {
  test('offers what is left to say, with what it means and what it is where nothing is said', async () => {
    const offered = await editor.offeredAt(withBlock('runtime', '    engine: vllm\n    |'));
    expect(offered.map(({ label }) => label)).toEqual(['version', 'image', 'args', 'port']);
    const port = offered.find(({ label }) => label === 'port');
    expect(JSON.stringify(port?.documentation)).toContain('Port that the model server listens on.');
    expect(port?.insertText).toContain('8000');
    const deadlines = await editor.offeredAt(withBlock('readiness', '    |'));
    expect(deadlines.find(({ label }) => label === 'startDeadline')?.insertText).toContain('25m');
  });

  test('offers the values that a field may have', async () => {
    const offered = await editor.offeredAt(withBlock('runtime', '    engine: |'));
    const labels = offered.map(({ label }) => label);
    expect(labels).toEqual(expect.arrayContaining(['vllm', 'sglang', 'tgi', 'llamacpp', 'openai']));
  });

  test('marks a field that there is not, and one that is missing, at their lines', async () => {
    const text = withBlock('runtime', '    engin: vllm');
    const line = text.split('\n').indexOf('    engin: vllm');
    const { wrong } = await editor.open(text);
    expect(wrong).toEqual(
      expect.arrayContaining([
        [line, 'Property engin is not allowed.'],
        [line - 1, 'Missing property "engine".'],
      ]),
    );
    expect(wrong).toHaveLength(2);
  });

  test('reads the schema from where the service shows it', async () => {
    const { port } = served.address() as AddressInfo; // of a server that listens on TCP
    const text = `${modeline.replace('127.0.0.1:7600', `127.0.0.1:${port}`)}\n${withBlock('runtime', '    engine: vlm').replace(/^#.*\n/, '')}`;
    const { wrong } = await editor.open(text);
    expect(asked).toEqual(['/schemas/deployment.schema.json']);
    expect(wrong).toEqual([[expect.any(Number), expect.stringContaining('"vllm", "sglang"')]]);
  });

  test.each(readdirSync(EXAMPLES).filter((file) => file.endsWith('.yaml')))(
    'finds nothing wrong in %s',
    async (file) => {
      expect((await editor.open(example(file))).wrong).toEqual([]);
    },
  );
});
