import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parsePrompts, PromptsError } from './prompt.js';
import { readPrompts } from './read-prompts.js';

const LINE = '{"payload":{"max_tokens":8,"messages":[{"role":"user","content":"words-of-a-customer"}]}}';

describe('a line of prompts', () => {
  test('becomes a request with its cost, its path, and what was recorded', () => {
    const text = `${LINE}\n\n{"id":"b","payload":{"max_completion_tokens":4,"prompt":"x"},"recorded":{"choices":[]}}\n`;
    expect(parsePrompts('p.jsonl', text)).toMatchObject([
      { id: 'line-1', path: '/v1/chat/completions', cost: 8, recorded: null },
      { id: 'b', path: '/v1/completions', cost: 4, recorded: '{"choices":[]}' },
    ]);
  });

  test.each([
    ['words-of-a-customer {', 'p.jsonl:2: is no JSON'],
    ['["words-of-a-customer"]', 'p.jsonl:2: the line '],
    ['{"id":"words of a customer!","payload":{"max_tokens":1}}', 'p.jsonl:2: id takes'],
    ['{"payload":{"prompt":"words-of-a-customer"}}', 'p.jsonl:2: payload.max_tokens is missing'],
    ['{"payload":{"max_tokens":0}}', 'p.jsonl:2: payload.max_tokens takes a whole number above 0'],
    ['{"payload":{"max_tokens":1,"stream":true}}', 'p.jsonl:2: payload.stream has to be absent or false'],
    ['{"payload":{"max_tokens":1},"words-of-a-customer":1}', 'p.jsonl:2: has a field that is not known'],
    ['{"id":"line-1","payload":{"max_tokens":1}}', 'p.jsonl:2: has the id of line 1'],
  ])('%s is refused by file and line, without its words', (line, message) => {
    const parse = (): unknown => parsePrompts('p.jsonl', `${LINE}\n${line}`);
    expect(parse).toThrow(PromptsError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow(/words.of/);
  });

  test('is needed', () => {
    expect(() => parsePrompts('p.jsonl', '\n \n')).toThrow('p.jsonl: holds no prompt');
  });
});

describe('a file of prompts', () => {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'davit-prompts-'));
    await mkdir(path.join(root, 'prompts', 'team'), { recursive: true });
    await writeFile(path.join(root, 'prompts', 'team', 'chat.jsonl'), LINE);
    await writeFile(path.join(root, 'secret.jsonl'), LINE);
    await symlink(path.join(root, 'secret.jsonl'), path.join(root, 'prompts', 'link.jsonl'));
  });
  afterAll(() => rm(root, { recursive: true, force: true }));
  const read = (name: string): Promise<unknown> => readPrompts(path.join(root, 'prompts'), name);

  test('is found below the directory', async () => {
    expect(await read('team/chat.jsonl')).toHaveLength(1);
  });

  test.each([
    ['../secret.jsonl', 'lies outside'],
    ['link.jsonl', 'lies outside'],
    ['none.jsonl', 'is no file below'],
    ['team', 'is no file below'],
  ])('%s %s', async (name, message) => {
    await expect(read(name)).rejects.toThrow(message);
  });

  test('needs a directory that is set and there', async () => {
    await expect(readPrompts('', 'a.jsonl')).rejects.toThrow('Set DAVIT_PROMPTS_DIR');
    await expect(readPrompts(path.join(root, 'nowhere'), 'a.jsonl')).rejects.toThrow('names no directory');
  });
});
