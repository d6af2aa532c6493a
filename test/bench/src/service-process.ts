import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { heapFlags } from '../../../scripts/lib/heap.mjs';

/** A service as users run it, in a process of its own. */
export type ServiceProcess = { readonly url: string; readonly pid: number | undefined; stop(): Promise<void> };

/** @param env beside the surroundings of the benchmark */
export async function startService(name: string, env: NodeJS.ProcessEnv = {}): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL(`../../../apps/${name}/dist/main.js`, import.meta.url));
  const port = await freePort();
  const child = spawn(process.execPath, ['--enable-source-maps', ...heapFlags(name), main], {
    env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with code ${child.exitCode}`);
    await delay(50);
  }
  return { url, pid: child.pid, stop: () => end(child) };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(new URL('/readyz', url)).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
}
