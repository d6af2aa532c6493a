import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Where a program is; the folders for system programs are looked at too, as a normal user's PATH may lack them.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} program
 * @returns {string | undefined}
 */
export function onPath(env, program) {
  const folders = [...(env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders
    .filter(Boolean)
    .map((folder) => path.join(folder, program))
    .find((file) => existsSync(file));
}
