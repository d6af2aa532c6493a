import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { lastLine } from '../results.js';

/** The release of https://github.com/nats-io/natscli that the examples are run with. */
export const NATSCLI_VERSION = '0.5.1';

const MODULE = `github.com/nats-io/natscli/nats@v${NATSCLI_VERSION}`;
const TIMEOUT_MS = 1_200_000;

export type InstalledProgram =
  { readonly ok: true; readonly folder: string } | { readonly ok: false; readonly why: string };

/** The `nats` command in the user's cache: built from source once, used by every later run. */
export async function installNatsCli(say: (line: string) => void): Promise<InstalledProgram> {
  const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'davit');
  const folder = path.join(cache, `natscli-${NATSCLI_VERSION}`);
  if (existsSync(path.join(folder, 'nats'))) return { ok: true, folder };
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(path.join(cache, 'fetch-'));
  try {
    say(`Building the nats command ${NATSCLI_VERSION} with Go into ${folder} (a few minutes) …`);
    await promisify(execFile)('go', ['install', MODULE], {
      ...{ cwd: work, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' },
      env: { ...process.env, GOBIN: work, CGO_ENABLED: '0', GOFLAGS: '' },
    });
    await rename(work, folder);
    return { ok: true, folder };
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { ok: false, why: isAbsent ? 'Go is not installed' : `it cannot be built here: ${lastLine(error)}` };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
