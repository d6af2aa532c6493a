import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { postgresAccount, postgresPrograms, reachableDir } from './postgres-files.mjs';
import { SetupError } from './say.mjs';

/**
 * What it takes to run one PostgreSQL server.
 * @typedef {object} PostgresLaunch
 * @property {string} dataDir
 * @property {string} url of the maintenance database `postgres`
 * @property {string[]} argv program first
 * @property {Record<string, string>} env
 * @property {{ uid: number, gid: number } | undefined} account
 */

const USER = 'davit';
// C everywhere: sorting and messages do not depend on what locales the machine happens to have.
const LOCALE_ENV = { LC_ALL: 'C', LANG: 'C', TZ: 'UTC', PATH: process.env.PATH ?? '' };

/**
 * Makes the data folder when there is none yet and says how to start the server on it.
 * @param {{ dataDir: string, port: number, durable: boolean }} options `durable: false` gives up crash safety for speed; for tests only
 * @returns {Promise<PostgresLaunch>}
 */
export async function preparePostgres({ dataDir: wanted, port, durable }) {
  const account = postgresAccount();
  const dataDir = reachableDir(wanted, account);
  const programs = await postgresPrograms(account);
  const passwordFile = `${dataDir}.password`;
  if (!existsSync(path.join(dataDir, 'PG_VERSION')))
    await initialise(programs.initdb, dataDir, passwordFile, account, durable);
  const major = readFileSync(path.join(dataDir, 'PG_VERSION'), 'utf8').trim();
  const { stdout } = await promisify(execFile)(programs.postgres, ['--version'], { ...account, env: LOCALE_ENV });
  if (!stdout.includes(` ${major}.`)) {
    throw new SetupError(
      'postgres-data-version',
      `The data in ${dataDir} belongs to PostgreSQL ${major}, but the installed program is ${stdout.trim()}. Move the folder away to start afresh, or dump it with the old version first.`,
    );
  }
  dropStaleLock(dataDir);
  return {
    dataDir,
    url: `postgres://${USER}:${readFileSync(passwordFile, 'utf8').trim()}@127.0.0.1:${port}/postgres`,
    argv: [programs.postgres, '-D', dataDir, ...settings(port, durable).flatMap((setting) => ['-c', setting])],
    env: LOCALE_ENV,
    account,
  };
}

/**
 * @param {number} port
 * @param {boolean} durable
 */
function settings(port, durable) {
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    'logging_collector=off',
    ...(durable
      ? ['fsync=on', 'synchronous_commit=on']
      : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum_naptime=1d']),
  ];
}

/**
 * Fills a folder beside the wanted one and renames it when complete, so that an interrupted first start leaves nothing half-made.
 * @param {string} initdb
 * @param {string} dataDir
 * @param {string} passwordFile
 * @param {{ uid: number, gid: number } | undefined} account
 * @param {boolean} durable
 */
async function initialise(initdb, dataDir, passwordFile, account, durable) {
  const partial = `${dataDir}.partial`;
  rmSync(partial, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, `${randomBytes(18).toString('base64url')}\n`, { mode: 0o600 });
  chmodSync(passwordFile, 0o600);
  if (account !== undefined) {
    for (const owned of [partial, passwordFile]) chownSync(owned, account.uid, account.gid);
  }
  const flags = [
    '--no-locale',
    '--encoding=UTF8',
    '--auth=scram-sha-256',
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    `--pgdata=${partial}`,
  ];
  try {
    await promisify(execFile)(initdb, durable ? flags : [...flags, '--no-sync'], {
      ...account,
      env: LOCALE_ENV,
      cwd: '/',
      timeout: 120_000,
    });
  } catch (error) {
    const detail = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new SetupError('postgres-init', `PostgreSQL could not lay out its data folder ${dataDir}: ${detail.trim()}`);
  }
  renameSync(partial, dataDir);
}

/**
 * A killed server leaves its lock file; if its pid has meanwhile gone to another process, PostgreSQL would refuse to start.
 * @param {string} dataDir
 */
function dropStaleLock(dataDir) {
  const lock = path.join(dataDir, 'postmaster.pid');
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  if (commandLineOf(pid).includes(dataDir)) {
    throw new SetupError(
      'postgres-running',
      `A PostgreSQL server (process ${pid}) already uses ${dataDir}. End it with: kill -INT ${pid}`,
    );
  }
  rmSync(lock, { force: true });
}

/** @param {number} pid */
function commandLineOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
