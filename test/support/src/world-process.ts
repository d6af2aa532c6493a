import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from './eventually.js';
import { forgetProcess, markedEnvironment, recordProcess } from './ledger.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WORLD = path.join(ROOT, 'test', 'world');

/** The simulated outside as a process of its own: a `sky` executable, RunPod, Vast, and model servers on loopback. */
export interface WorldProcess {
  /** What the world wrote into `world.json`: addresses, path of `sky`, and keys. */
  readonly controlUrl: string;
  readonly skyBin: string;
  readonly runpodUrl: string;
  readonly vastConsoleUrl: string;
  readonly vastRunUrl: string;
  readonly vastOpenaiUrl: string;
  readonly vastTemplateHash: string;
  readonly keys: { readonly runpod: string; readonly vast: string };
  /** Asks the control interface; the answer is JSON. */
  control(method: 'GET' | 'POST' | 'PUT' | 'DELETE', route: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts a world; `environment` holds its `WORLD_…` variables. Call `stop` at the end of the test. */
export async function startWorld(environment: Readonly<Record<string, string>> = {}): Promise<WorldProcess> {
  // Processes run what the compiler made of the present sources.
  await promisify(execFile)(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', WORLD]);
  const directory = await mkdtemp(path.join(tmpdir(), 'davit-world-'));
  const child = spawn(process.execPath, [path.join(WORLD, 'dist', 'main.js')], {
    env: { ...markedEnvironment(), WORLD_DIR: directory, ...environment },
    stdio: 'ignore',
  });
  if (child.pid !== undefined) recordProcess(`world-${child.pid}`, child.pid);
  const file = path.join(directory, 'world.json');
  await eventually(() => existsSync(file), { timeoutMs: 20_000 });
  // Written by the world's own main program.
  const description = JSON.parse(await readFile(file, 'utf8')) as Omit<WorldProcess, 'control' | 'stop'>;
  return {
    ...description,
    control: async (method, route, body) => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      const response = await fetch(description.controlUrl + route, init);
      return response.json();
    },
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
      if (child.pid !== undefined) forgetProcess(`world-${child.pid}`);
      await rm(directory, { recursive: true, force: true });
    },
  };
}
