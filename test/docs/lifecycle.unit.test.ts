import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LIFECYCLE_PAGE, lifecyclePage } from '../../scripts/docs/lifecycle.mjs';
import { loadSources } from '../../scripts/docs/load.mjs';

const root = path.resolve(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

describe('the page about the lifecycle', () => {
  test('draws the states as the code has them; after a change of them run `npm run docs`', async () => {
    expect(read(LIFECYCLE_PAGE)).toBe(lifecyclePage(await loadSources('src')));
  });

  test('says of every status what it means', async () => {
    const { domain } = await loadSources('src');
    const page = read(LIFECYCLE_PAGE);
    const statuses = [domain.DEPLOYMENT_TRANSITIONS, domain.REPLICA_TRANSITIONS, domain.ORPHAN_TRANSITIONS].flatMap(
      (transitions) => Object.keys(transitions),
    );
    expect(statuses.filter((status) => !page.includes(`| \`${status}\` `))).toEqual([]);
  });

  test('says of everything that is waited for what it is', async () => {
    const { domain } = await loadSources('src');
    const page = read(LIFECYCLE_PAGE);
    expect(domain.WAIT_REASONS.filter((reason) => !page.includes(`\`${reason}\``))).toEqual([]);
  });
});

describe('the page about field reports', () => {
  const page = read('docs/explanation/field-reports.md');
  const cited = [...page.matchAll(/\[`([^`]+)`\]\((?:\.\.\/)+([^)]+\.test\.ts)\)/g)].map(
    ([, title = '', file = '']) => ({
      title,
      file,
    }),
  );

  test('cites a test in every row', () => {
    const rows = page.split('\n').filter((line) => /^\| \d/.test(line));
    expect(rows.length).toBeGreaterThanOrEqual(55);
    expect(rows.filter((row) => !row.includes('.test.ts)'))).toEqual([]);
  });

  test('cites only tests that exist, by their titles', () => {
    const missing = cited.filter(({ file, title }) => {
      try {
        return !read(file).includes(title);
      } catch {
        return true;
      }
    });
    expect(missing).toEqual([]);
  });
});
