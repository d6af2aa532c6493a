import { execFileSync } from 'node:child_process';

/** Where Debian puts programs of servers, too. */
export const PROGRAM_PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

/** Where a program stands; undefined where it does not. */
export function programFile(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], {
      env: { PATH: PROGRAM_PATH },
      encoding: 'utf8',
    }).trim();
  } catch {
    return undefined;
  }
}

/**
 * Whether a program of Debian can be run, installing its package where that is allowed. Where it cannot be had, less is proven,
 * and that is said on standard error.
 * @param unproven what is not shown without it, for example `its file is not held against it`
 * @param timeoutMs how long the installation may take
 */
export function haveProgram(program: string, debianPackage: string, unproven: string, timeoutMs = 50_000): boolean {
  if (programFile(program) !== undefined) return true;
  try {
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', debianPackage], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: timeoutMs,
    });
  } catch {
    // Said below.
  }
  const found = programFile(program) !== undefined;
  if (!found) process.stderr.write(`\n!!! ${program} is not here and could not be installed: ${unproven}\n`);
  return found;
}
