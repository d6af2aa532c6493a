import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { loadSources } from '../../scripts/docs/load.mjs';
import { REFERENCE_FOLDER, referencePages } from '../../scripts/docs/reference.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const folder = path.join(root, REFERENCE_FOLDER);
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

let pages: ReadonlyMap<string, string>;
let contracts: Awaited<ReturnType<typeof loadSources>>['contracts'];

beforeAll(async () => {
  const sources = await loadSources('src');
  pages = referencePages(sources);
  contracts = sources.contracts;
});

describe('the reference', () => {
  test('says what the sources say; after a change of them run `npm run docs`', () => {
    const stale = [...pages].filter(([file, text]) => read(file) !== text).map(([file]) => file);
    expect(stale).toEqual([]);
  });

  test('holds no page that nothing generates', () => {
    expect(readdirSync(folder).sort()).toEqual([...pages.keys()].sort());
  });

  test('names every event type and every field of its data', () => {
    const page = read('events.md');
    for (const { type, data } of contracts.EVENT_DEFINITIONS) {
      const section = page.split(`### ${type}\n`)[1]?.split('\n### ')[0] ?? '';
      for (const field of Object.keys(data.shape)) expect({ type, section }).toMatchObject({ section: row(field) });
    }
  });

  test('links only to headings that exist', () => {
    const page = read('events.md');
    const headings = new Set([...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase()));
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target = '']) => target);
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((target) => !headings.has(target))).toEqual([]);
  });

  test('refers within its JSON Schema only to definitions that exist', () => {
    const text = read('events.schema.json');
    const { $defs } = JSON.parse(text) as { $defs: Record<string, unknown> };
    const targets = [...text.matchAll(/"#\/\$defs\/([^"]+)"/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(66);
    expect(targets.filter((target) => !(target in $defs))).toEqual([]);
  });

  const row = (field: string): unknown => expect.stringContaining(`\n| \`${field}\` |`);
});
