import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repoRoot } from './paths.mjs';
import { runNode } from './run-node.mjs';
import { SetupError, say } from './say.mjs';

const folder = path.join(repoRoot, 'apps', 'dashboard');
/** Says from which sources the page was built. */
const stamp = path.join(folder, 'dist', 'page', '.sources');

/**
 * Builds the page of the dashboard where its sources are not those that it was built from.
 * @throws {SetupError} `page-build-failed`
 */
export async function buildPage() {
  const digest = sourcesDigest();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  say('Building the page …');
  const vite = path.join(repoRoot, 'node_modules', 'vite', 'bin', 'vite.js');
  const code = await runNode([vite, 'build', folder, '--config', path.join(folder, 'vite.config.mjs'), '-l', 'warn']);
  if (code !== 0) throw new SetupError('page-build-failed', 'The page does not build; the messages stand above.');
  writeFileSync(stamp, digest);
}

/** Of all that goes into the page: its own files, the arithmetic of money, and the packages as they are locked. */
function sourcesDigest() {
  const own = readdirSync(path.join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const others = ['apps/dashboard/index.html', 'apps/dashboard/vite.config.mjs', 'libs/domain/src/money.ts'];
  const files = [...own.sort(), ...[...others, 'package-lock.json'].map((file) => path.join(repoRoot, file))];
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${path.relative(repoRoot, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}
