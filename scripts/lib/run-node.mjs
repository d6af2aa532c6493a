import { spawn } from 'node:child_process';
import { repoRoot } from './paths.mjs';

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
