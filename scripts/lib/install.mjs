import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { cacheDir, isWritable, repoRoot } from './paths.mjs';
import { SetupError, say } from './say.mjs';

const CI = ['ci', '--no-audit', '--no-fund', '--loglevel=warn'];
const NO_NETWORK = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

/**
 * Installs the packages of the lock file unless exactly those are there already.
 * @param {{ root?: string, runNpm?: typeof npm, tell?: (text: string) => void }} [options]
 * @returns {Promise<'installed' | 'up to date'>}
 * @throws {SetupError} `install-offline` or `install-failed`
 */
export async function install({ root = repoRoot, runNpm = npm, tell = say } = {}) {
  const lock = path.join(root, 'package-lock.json');
  const mark = path.join(root, 'node_modules', '.davit-lock');
  const digest = createHash('sha256').update(readFileSync(lock)).digest('hex');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest && foldersExist(root)) return 'up to date';
  if (!matchesInstalled(root) || !foldersExist(root)) {
    tell('Installing packages (npm ci) …');
    // Without a network npm tries every package several times, for minutes; its cache is then the only hope.
    const ping = await runNpm(['ping', '--fetch-retries=0', '--fetch-timeout=10000'], root, true);
    const offline = ping.code !== 0 && NO_NETWORK.test(ping.output);
    const { code, output } = await runNpm(offline ? [...CI, '--offline'] : [...CI, '--prefer-offline'], root);
    if (code !== 0) throw installError(code, output);
  }
  writeFileSync(mark, digest);
  return 'installed';
}

/**
 * Whether npm's own record of node_modules agrees with the lock file, as after an `npm ci` by hand.
 * @param {string} root
 */
function matchesInstalled(root) {
  const present = readPackages(path.join(root, 'node_modules', '.package-lock.json'));
  return requiredPackages(root).every(
    ([name, entry]) => present[name]?.version === entry.version && present[name]?.resolved === entry.resolved,
  );
}

/**
 * Packages of one workspace alone lie in that workspace's own node_modules, which may have been removed with it.
 * @param {string} root
 */
function foldersExist(root) {
  return requiredPackages(root).every(([name]) => existsSync(path.join(root, name)));
}

/** @param {string} root */
function requiredPackages(root) {
  const locked = Object.entries(readPackages(path.join(root, 'package-lock.json')));
  return locked.filter(([name, entry]) => name.includes('node_modules/') && entry.optional !== true);
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, resolved?: string, optional?: boolean }>} none when there is no such file
 */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * @param {number} code
 * @param {string} output
 */
function installError(code, output) {
  if (NO_NETWORK.test(output)) {
    return new SetupError(
      'install-offline',
      'The packages must be installed, but npm could not reach its registry. Connect to the network (or set npm\'s "registry" or "proxy") and run the command again. Later runs need no network.',
    );
  }
  return new SetupError(
    'install-failed',
    `npm ci ended with code ${code}; its messages stand above. Nothing was started.`,
  );
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {boolean} [quiet]
 * @returns {Promise<{ code: number, output: string }>}
 */
function npm(args, cwd, quiet = false) {
  const script = process.env.npm_execpath;
  const [file, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  return new Promise((resolve) => {
    const child = spawn(file, [...first, ...args], { cwd, env: npmEnvironment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (!quiet) process.stderr.write(chunk);
      });
    }
    child.on('error', (error) => resolve({ code: 127, output: `${output}\nnpm does not start: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** npm keeps its cache in the home folder; where that cannot be written it gets another place. */
function npmEnvironment() {
  const usual = process.env.npm_config_cache ?? path.join(process.env.HOME || homedir(), '.npm');
  return isWritable(usual) ? process.env : { ...process.env, npm_config_cache: path.join(cacheDir(), 'npm') };
}
