import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../../../apps/router-registry/dist/main.js', import.meta.url));

/** The service as users run it, in a process of its own. */
export type Registry = { readonly url: string; readonly pid: number | undefined; stop(): Promise<void> };

export async function startRegistry(): Promise<Registry> {
  const port = await freePort();
  const child = spawn(process.execPath, ['--enable-source-maps', MAIN], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`router-registry ended with code ${child.exitCode}`);
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
