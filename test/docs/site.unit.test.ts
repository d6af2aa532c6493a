import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '..', '..');
const vitepress = path.join(root, 'node_modules', 'vitepress', 'bin', 'vitepress.js');

test('the guides build as a site, and no link between them is dead', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'davit-site-'));
  try {
    await promisify(execFile)(process.execPath, [vitepress, 'build', 'docs', '--outDir', folder], { cwd: root });
    expect(await readFile(path.join(folder, 'tutorial.html'), 'utf8')).toContain('The first ten minutes');
  } finally {
    await rm(folder, { recursive: true });
  }
});
