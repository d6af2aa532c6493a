import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The release that the fake and the fact sheets speak of. */
export const SKYPILOT_VERSION = '0.14.1';
const PYTHONS = ['python3.12', 'python3.11', 'python3.10', 'python3'];

export type Installation =
  | { readonly ok: true; readonly binary: string; readonly cached: boolean }
  | { readonly ok: false; readonly why: string };

/** A SkyPilot of its own in the user's cache: installed once, used by every later run. */
export async function installSkyPilot(say: (line: string) => void): Promise<Installation> {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const directory = path.join(cache, 'davit', `skypilot-${SKYPILOT_VERSION}`);
  const binary = path.join(directory, 'bin', 'sky');
  const complete = path.join(directory, 'complete');
  if (existsSync(complete)) return { ok: true, binary, cached: true };
  const python = await firstPython();
  if (python === undefined) return { ok: false, why: 'no Python 3.9 or later is installed' };
  await rm(directory, { recursive: true, force: true });
  await mkdir(path.dirname(directory), { recursive: true });
  say(`Installing skypilot ${SKYPILOT_VERSION} with ${python} into ${directory} (a minute or two) …`);
  try {
    await run(python, ['-m', 'venv', directory]);
    const wanted = [`skypilot[runpod]==${SKYPILOT_VERSION}`];
    const pip = path.join(directory, 'bin', 'pip');
    const options = ['--quiet', '--disable-pip-version-check', '--retries', '1', '--timeout', '20'];
    await run(pip, ['install', ...options, ...wanted], { timeout: 900_000 });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    return { ok: false, why: `it cannot be installed here: ${lastLine(error)}` };
  }
  await writeFile(complete, '');
  return { ok: true, binary, cached: false };
}

async function firstPython(): Promise<string | undefined> {
  for (const python of PYTHONS) {
    const probe = 'import sys, venv; print(sys.version_info >= (3, 9))';
    const found = await run(python, ['-c', probe]).then(
      ({ stdout }) => stdout.trim() === 'True',
      () => false,
    );
    if (found) return python;
  }
  return undefined;
}

function lastLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}
