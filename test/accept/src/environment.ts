import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { lastLine } from './results.js';

const run = promisify(execFile);

export type Installation =
  /** @property directory root of a virtual environment, complete */
  | { readonly ok: true; readonly directory: string; readonly cached: boolean }
  | { readonly ok: false; readonly why: string };

export interface EnvironmentPlan {
  /** Folder in the cache, which names what is in it and its release. */
  readonly name: string;
  /** Oldest Python that will do, as `3.9`. */
  readonly python: string;
  /** What has to be free on the disk before it is installed. */
  readonly freeGiB: number;
  readonly announce: (python: string, directory: string) => void;
  /** Installs into the environment; whatever it throws is why it cannot be had. */
  readonly fill: (environment: Filling) => Promise<void>;
}

export interface Filling {
  readonly directory: string;
  readonly pip: (...args: readonly string[]) => Promise<void>;
  /** Standard output of a Python program given as text. */
  readonly python: (program: string) => Promise<string>;
}

const PYTHONS = ['python3.12', 'python3.11', 'python3.13', 'python3.10', 'python3'];
const PIP_OPTIONS = ['--quiet', '--disable-pip-version-check', '--no-cache-dir', '--retries', '1', '--timeout', '20'];
const PIP_TIMEOUT_MS = 1_800_000;
const GIB = 1024 ** 3;

/** A Python environment of its own in the user's cache: made once, used by every later run. */
export async function pythonEnvironment({
  name,
  python,
  freeGiB,
  announce,
  fill,
}: EnvironmentPlan): Promise<Installation> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const directory = path.join(cache, 'davit', name);
  const complete = path.join(directory, 'complete');
  if (existsSync(complete)) return { ok: true, directory, cached: true };
  const interpreter = await firstPython(python);
  if (interpreter === undefined) return { ok: false, why: `no Python ${python} or later is installed` };
  await rm(directory, { recursive: true, force: true });
  await mkdir(path.dirname(directory), { recursive: true });
  const { bavail, bsize } = await statfs(path.dirname(directory));
  if (bavail * bsize < freeGiB * GIB) return { ok: false, why: `less than ${freeGiB} GiB are free for ${directory}` };
  announce(interpreter, directory);
  const binary = (program: string): string => path.join(directory, 'bin', program);
  try {
    await run(interpreter, ['-m', 'venv', directory]);
    await fill({
      directory,
      pip: async (...args) => {
        await run(binary('pip'), ['install', ...PIP_OPTIONS, ...args], { timeout: PIP_TIMEOUT_MS });
      },
      python: async (program) => (await run(binary('python'), ['-c', program])).stdout,
    });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    return { ok: false, why: `it cannot be installed here: ${lastLine(error)}` };
  }
  await writeFile(complete, '');
  return { ok: true, directory, cached: false };
}

async function firstPython(oldest: string): Promise<string | undefined> {
  for (const python of PYTHONS) {
    const probe = `import sys, venv; print(sys.version_info >= (${oldest.replace('.', ', ')}))`;
    const found = await run(python, ['-c', probe]).then(
      ({ stdout }) => stdout.trim() === 'True',
      () => false,
    );
    if (found) return python;
  }
  return undefined;
}

/** Says that nothing was compared, and why, so that nobody overlooks it. */
export function skip(why: string, say: (line: string) => void): void {
  const rule = '!'.repeat(72);
  say(`${rule}\nSKIPPED: ${why}.\nNothing was compared with the real thing.\n${rule}`);
}
