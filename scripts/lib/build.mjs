import path from 'node:path';
import { checkNode } from './node-version.mjs';
import { install } from './install.mjs';
import { buildPage } from './build-page.mjs';
import { repoRoot } from './paths.mjs';
import { runNode } from './run-node.mjs';
import { SetupError, say } from './say.mjs';

/** Makes the checkout ready to run: Node checked, packages installed, sources compiled. Does only what has changed. */
export async function prepare() {
  checkNode();
  await install();
  await build();
}

/**
 * Compiles what changed since the last time.
 * @throws {SetupError} `build-failed`
 */
export async function build() {
  say('Compiling what changed …');
  const tsc = path.join(repoRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const code = await runNode([tsc, '-b', ...(process.stderr.isTTY ? ['--pretty'] : [])]);
  if (code !== 0)
    throw new SetupError('build-failed', "The sources do not compile; the compiler's messages stand above.");
  await buildPage();
}
