import { execFileSync } from 'node:child_process';

/** Where Debian puts programs of servers, too. */
export const PROGRAM_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { env: { PATH: PROGRAM_PATH }, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a program of Debian can be run, installing its package where that is allowed. Where it cannot be had, less is proven,
 * and that is said on standard error.
 * @param unproven what is not shown without it, for example `its file is not held against it`
 */
export function haveProgram(program: string, debianPackage: string, unproven: string): boolean {
  if (isThere(program)) return true;
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 50_000,
    });
  } catch {
    // Said below.
  }
  const found = isThere(program);
  if (!found) process.stderr.write(`\n!!! ${program} is not here and could not be installed: ${unproven}\n`);
  return found;
}
