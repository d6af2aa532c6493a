import { spawn } from 'node:child_process';
import path from 'node:path';
import { checkNode } from './node-version.mjs';
import { install } from './install.mjs';
import { repoRoot } from './paths.mjs';
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
}

/**
 * Runs Node from the root of the repository; what it prints to stdout goes to stderr unless `stdout` says otherwise.
 * @param {string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, stdout?: 'inherit' | 'stderr' }} [options]
 * @returns {Promise<number>} exit code; 128 + signal number is not told apart from 1
 */
export function runNode(args, { env = process.env, stdout = 'stderr' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: repoRoot,
      env,
      stdio: ['inherit', stdout === 'stderr' ? 2 : 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}
