import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export const repoRoot = path.resolve(import.meta.dirname, '..', '..');

/** Everything a run leaves behind; ignored by git. */
export const stateDir = path.join(repoRoot, '.davit');
export const runsDir = path.join(stateDir, 'run');

/**
 * Where downloaded programs are kept: the user's cache folder, or the repository when the home folder is not writable.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string}
 */
export function cacheDir(env = process.env) {
  const preferred = path.join(env.XDG_CACHE_HOME || path.join(env.HOME || homedir(), '.cache'), 'davit');
  return isWritable(preferred) ? preferred : path.join(stateDir, 'cache');
}

/**
 * Whether files can be made in the folder, which is made when missing.
 * @param {string} dir
 */
export function isWritable(dir) {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
