import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CANARY, REPLICA_YAML } from './test-world.js';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const ENTRY = join(PACKAGE, 'dist', 'main.js');
const DEADLINE_MS = 20_000;

interface Description {
  readonly controlUrl: string;
  readonly skyBin: string;
  readonly runpodUrl: string;
  readonly vastConsoleUrl: string;
  readonly vastRunUrl: string;
  readonly vastTemplateHash: string;
  readonly elsewhereUrl: string;
  readonly keys: { readonly runpod: string; readonly vast: string };
}

interface MachineView {
  readonly id: string;
  readonly phase: string;
  readonly server: string;
  readonly address: string;
}

/** Where a request is sent, with what its worker verifies. */
interface Route {
  readonly url: string;
  readonly signature: string;
}

interface KeysView {
  readonly host: string;
  readonly own: number;
  readonly foreign: number;
}

/** A world process in a directory of its own. */
class RealWorld {
  readonly directory = mkdtempSync(join(tmpdir(), 'davit-world-'));
  readonly child: ChildProcess;

  constructor(env: Readonly<Record<string, string>> = {}) {
    const timings = {
      WORLD_PROVISION_MS: '100',
      WORLD_LOAD_MS: '100',
      WORLD_TERMINATE_MS: '20',
      WORLD_REFRESH_MS: '1e12',
    };
    this.child = spawn(process.execPath, [ENTRY], {
      env: { WORLD_DIR: this.directory, ...timings, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    writeFileSync(join(this.directory, 'replica.yaml'), REPLICA_YAML);
  }

  async ready(): Promise<Description> {
    const path = join(this.directory, 'world.json');
    await until(() => existsSync(path));
    return JSON.parse(readFileSync(path, 'utf8')) as Description;
  }

  async sky(...argv: readonly string[]): Promise<{ exitCode: number | string; stdout: string; stderr: string }> {
    const env = { HOME: this.directory, WORKER_API_KEY: CANARY };
    const run = promisify(execFile)(join(this.directory, 'bin', 'sky'), argv, { env, cwd: this.directory });
    try {
      return { exitCode: 0, ...(await run) };
    } catch (error) {
      const ended = error as { code: number | null; signal: string; stdout: string; stderr: string }; // as execFile rejects
      return { exitCode: ended.code ?? ended.signal, stdout: ended.stdout, stderr: ended.stderr };
    }
  }

  launch(name: string): ReturnType<RealWorld['sky']> {
    return this.sky('launch', '-c', name, '-y', '--async', '--secret', 'WORKER_API_KEY', 'replica.yaml');
  }

  async endpoint(name: string): Promise<string> {
    return until(async () => {
      const { exitCode, stdout } = await this.sky('status', name, '--endpoint', '8000');
      return exitCode === 0 && `http://${stdout.trim()}`;
    });
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill(signal);
    await exited;
  }
}

/** Waits for a condition; fails after a deadline. */
async function until<T>(condition: () => T | false | undefined | Promise<T | false | undefined>): Promise<T> {
  const endMs = Date.now() + DEADLINE_MS;
  for (;;) {
    const value = await condition();
    if (value !== false && value !== undefined) return value;
    if (Date.now() > endMs) throw new Error(`condition not met within ${DEADLINE_MS} ms: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

const json = async <T>(url: string, init: RequestInit = {}): Promise<T> => (await (await fetch(url, init)).json()) as T;

const chat = (url: string): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${CANARY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'qwen3-8b', messages: [{ role: 'user', content: 'hi' }], stream: true }),
  });

/** A request to a serverless worker, as a client with a route sends it. */
const send = (route: Route): Promise<Response> =>
  fetch(`${route.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      auth_data: route,
      session_id: null,
      payload: { model: 'qwen3-8b', messages: [{ role: 'user', content: 'hi' }] },
    }),
  });

/** Children of a process, dead or alive, by what the kernel says. */
const childrenOf = (pid: number | undefined): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);

const runs = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('the world as processes', () => {
  let world: RealWorld | undefined;

  beforeAll(async () => {
    // Processes run what the compiler made of these very sources.
    await promisify(execFile)(process.execPath, [
      fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url)),
      '-b',
      PACKAGE,
    ]);
  }, 120_000);

  afterEach(async () => {
    await world?.stop('SIGTERM');
    if (world) rmSync(world.directory, { recursive: true, force: true });
    world = undefined;
  });

  it('rents a machine through the sky command, serves chat from it, loses it to a kill, and keeps honest books', async () => {
    world = new RealWorld();
    const { controlUrl } = await world.ready();
    expect(await world.launch('ic-int')).toMatchObject({ exitCode: 0, stderr: '' });
    const url = await world.endpoint('ic-int');
    await until(() => answers(`${url}/health`));
    const events = await (await chat(url)).text();
    expect(events).toMatch(/^data: \{[^]*data: \[DONE\]\n\n$/);
    const { machines } = await json<{ machines: MachineView[] }>(`${controlUrl}/machines`);
    expect(machines).toMatchObject([{ phase: 'running', server: 'started', address: url.slice('http://'.length) }]);
    await fetch(`${controlUrl}/machines/${machines[0]?.id ?? ''}/kill`, { method: 'POST' });
    expect(await answers(`${url}/health`)).toBe(false);
    const row = await world.sky('status', '-o', 'json', 'ic-int');
    expect(JSON.parse(row.stdout)).toMatchObject([{ status: 'UP' }]);
    expect(await world.sky('down', '-y', 'ic-int')).toMatchObject({ exitCode: 0 });
    expect((await world.sky('status', '-o', 'json', 'ic-int')).stdout).toMatch(/^Cluster\(s\) not found[^]*\n\[\]\n$/);
    expect(await json(`${controlUrl}/ledger`)).toMatchObject({ running: 0, everCreated: 1 });
    const files = readdirSync(world.directory, { recursive: true, encoding: 'utf8' }).map((name) =>
      join(world?.directory ?? '', name),
    );
    for (const file of files.filter((name) => statSync(name).isFile()))
      expect([file, readFileSync(file, 'utf8').includes(CANARY)]).toEqual([file, false]);
    expect(JSON.stringify(await json(`${controlUrl}/calls`))).not.toContain(CANARY);
  }, 60_000);

  it('leaves no model server behind when it is killed with -9, and leaves its ledger on disk', async () => {
    world = new RealWorld();
    await world.ready();
    await Promise.all([world.launch('ic-a'), world.launch('ic-b')]);
    const urls = await Promise.all([world.endpoint('ic-a'), world.endpoint('ic-b')]);
    for (const url of urls) await until(() => answers(`${url}/health`));
    const servers = childrenOf(world.child.pid);
    expect(servers.filter(runs)).toHaveLength(2);
    await world.stop('SIGKILL');
    await until(() => !servers.some(runs));
    const lines = readFileSync(join(world.directory, 'ledger.ndjson'), 'utf8').trim().split('\n');
    const names = lines.slice(1).map((line) => (JSON.parse(line) as { name: string; endedAtMs: number | null }).name);
    expect(names.sort()).toEqual([expect.stringMatching(/^ic-a-/), expect.stringMatching(/^ic-b-/)]);
  }, 60_000);

  it('ends everything on SIGTERM', async () => {
    world = new RealWorld();
    await world.ready();
    await world.launch('ic-a');
    await until(() => childrenOf(world?.child.pid).some(runs));
    const servers = childrenOf(world.child.pid);
    await world.stop('SIGTERM');
    expect(world.child.exitCode).toBe(0);
    expect(servers.some(runs)).toBe(false);
  }, 60_000);

  it('carries faults into the processes: a client killed before it prints, a port closed by a crash', async () => {
    world = new RealWorld();
    const { controlUrl } = await world.ready();
    const fault = { service: 'sky', verb: 'launch', effect: { kind: 'lost-reply' } };
    await fetch(`${controlUrl}/faults`, { method: 'POST', body: JSON.stringify(fault) });
    expect(await world.launch('ic-a')).toMatchObject({ exitCode: 'SIGKILL', stdout: '' });
    const url = await world.endpoint('ic-a');
    await until(() => answers(`${url}/health`));
    const { machines } = await json<{ machines: MachineView[] }>(`${controlUrl}/machines`);
    const path = `${controlUrl}/machines/${machines[0]?.id ?? ''}/fault`;
    await fetch(path, { method: 'POST', body: JSON.stringify({ kind: 'slow-health', ms: 60_000 }) });
    expect(await Promise.race([answers(`${url}/health`), answers(`${url}/version`).then(() => 'version first')])).toBe(
      'version first',
    );
    await fetch(path, { method: 'POST', body: JSON.stringify({ kind: 'crash' }) });
    await until(async () => !(await answers(`${url}/version`)));
    await until(async () => {
      const after = await json<{ machines: MachineView[] }>(`${controlUrl}/machines`);
      return after.machines[0]?.server === 'exited' && after.machines[0].phase === 'running';
    });
  }, 60_000);

  it('starts a server again as one that listens while it loads, and learns who was shown a key', async () => {
    world = new RealWorld();
    const { controlUrl, elsewhereUrl } = await world.ready();
    await world.launch('ic-a');
    const url = await world.endpoint('ic-a');
    await until(() => answers(`${url}/health`));
    const { machines } = await json<{ machines: MachineView[] }>(`${controlUrl}/machines`);
    const act = (action: string, body: object): Promise<Response> =>
      fetch(`${controlUrl}/machines/${machines[0]?.id ?? ''}/${action}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
    await act('load', { running: 3, waiting: 2 });
    await until(async () => /num_requests_running\{[^}]*\} 3\.0/.test(await (await fetch(`${url}/metrics`)).text()));
    await act('restart', { profile: 'llamacpp', loadMs: 60_000 });
    const loading = await until(() => fetch(`${url}/health`).catch(() => undefined));
    expect([loading.status, await loading.text()]).toEqual([503, expect.stringContaining('Loading model')]);
    await act('restart', { profile: 'vllm-rust', loadMs: 0 });
    await until(async () => (await fetch(`${url}/version`).catch(() => undefined))?.ok);
    expect((await fetch(`${url}/metrics`)).headers.get('content-type')).toMatch(/^application\/openmetrics-text/);
    await act('fault', { faults: [{ kind: 'redirect', path: '/metrics', to: `${elsewhereUrl}/metrics` }] });
    const headers = { authorization: `Bearer ${CANARY}` };
    const sent = await until(async () => {
      const response = await fetch(`${url}/metrics`, { headers, redirect: 'manual' });
      return response.status === 307 && (response.headers.get('location') ?? undefined);
    });
    expect(await (await fetch(sent, { headers })).text()).toContain('model_name="elsewhere"');
    await until(async () => {
      const { hosts } = await json<{ hosts: KeysView[] }>(`${controlUrl}/keys`);
      const at = (address: string): KeysView | undefined => hosts.find(({ host }) => host === new URL(address).host);
      return (at(url)?.own ?? 0) > 0 && at(elsewhereUrl)?.foreign === 1;
    });
  }, 60_000);

  it('ignores SIGTERM in a client that hangs, so that only SIGKILL ends it', async () => {
    world = new RealWorld();
    const { controlUrl, skyBin } = await world.ready();
    const fault = { service: 'sky', verb: 'status', effect: { kind: 'hang' } };
    await fetch(`${controlUrl}/faults`, { method: 'POST', body: JSON.stringify(fault) });
    const client = spawn(skyBin, ['status', '-o', 'json'], { env: {}, stdio: 'ignore' });
    const exited = new Promise<NodeJS.Signals | null>((resolve) => client.once('exit', (_, signal) => resolve(signal)));
    await until(async () => (await json<{ faults: unknown[] }>(`${controlUrl}/faults`)).faults.length === 0);
    await until(() => ignoresTerm(client.pid ?? 0));
    client.kill('SIGTERM');
    client.kill('SIGKILL');
    expect(await exited).toBe('SIGKILL');
  }, 60_000);

  it('runs Vast workers as processes too and ends them with their endpoint', async () => {
    world = new RealWorld();
    const { controlUrl, vastConsoleUrl, vastRunUrl, vastTemplateHash, keys } = await world.ready();
    const call = <T>(url: string, method: string, body?: object): Promise<T> =>
      json(url, {
        method,
        headers: { authorization: `Bearer ${keys.vast}` },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const policy = { endpoint_name: 'int', min_load: 0, cold_workers: 1, inactivity_timeout: 600 };
    const { result } = await call<{ result: number }>(`${vastConsoleUrl}/api/v0/endptjobs/`, 'POST', policy);
    const group = { endpoint_id: result, template_hash: vastTemplateHash, search_params: '' };
    await call(`${vastConsoleUrl}/api/v0/workergroups/`, 'POST', group);
    const route = await until(async () => {
      const answer = await call<Route | { url?: undefined }>(`${vastRunUrl}/route/`, 'POST', {
        endpoint: 'int',
        cost: 9,
      });
      return answer.url !== undefined && answer;
    });
    expect((await send({ ...route, signature: 'forged' })).status).toBe(401);
    const answer = await send(route);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ model: 'qwen3-8b' })]);
    await call(`${vastConsoleUrl}/api/v0/endptjobs/${result}/`, 'DELETE');
    await until(async () => (await json<{ running: number }>(`${controlUrl}/ledger`)).running === 0);
    await expect(send(route)).rejects.toThrow();
  }, 60_000);
});

/** Whether a process handles SIGTERM itself, from the kernel's mask of caught signals. */
function ignoresTerm(pid: number): boolean {
  try {
    const mask = /^SigCgt:\s+([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${mask}`) & (1n << 14n)) !== 0n;
  } catch {
    return false;
  }
}
