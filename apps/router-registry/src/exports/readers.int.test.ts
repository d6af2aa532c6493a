import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { PROGRAM_PATH, eventually, haveProgram } from '@davit/test-support';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { replaceFile } from './files.js';
import { type FileFormat, render } from './formats/index.js';
import type { RouteTable } from './table.js';
import { table, target } from './testing/tables.js';

const run = promisify(execFile);

/** Programs of Debian; where one cannot be had, what is proven of its file is less, and that is said. */
const PACKAGES = {
  nginx: 'nginx-light',
  haproxy: 'haproxy',
  prometheus: 'prometheus',
  'named-checkzone': 'bind9-utils',
} as const;
type Program = keyof typeof PACKAGES;

const have = (program: Program): boolean => haveProgram(program, PACKAGES[program], 'its file is not held against it');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'davit-routes-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const inFolder = (name: string): string => path.join(folder, name);
const publish = (format: FileFormat, routes: RouteTable): Promise<void> =>
  replaceFile(inFolder(`routes.${format}`), render(format, routes));

const portOf = (server: Server): number => {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return address.port;
};
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** A model server that takes its time and says who it is. */
async function modelServer(
  name: string,
): Promise<{ readonly url: string; readonly server: Server; readonly seen: { count: number } }> {
  const seen = { count: 0 };
  const server = createServer((_request, response) => {
    seen.count += 1;
    setTimeout(() => response.end(name), 40);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${portOf(server)}`, server, seen };
}

/** Asks without a pause until told to stop; what was not answered is kept. */
function traffic(url: string): { stop(): Promise<{ readonly answered: number; readonly lost: readonly string[] }> } {
  let goesOn = true;
  let answered = 0;
  const lost: string[] = [];
  const ask = async (): Promise<void> => {
    while (goesOn) {
      try {
        // A connection of its own for each: one that idles may be closed at a reload, and is then asked again by any client.
        const response = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5_000) });
        if (response.ok) answered += 1;
        else lost.push(String(response.status));
        await response.text();
      } catch (error) {
        lost.push(String(error));
      }
    }
  };
  const askers = Promise.all(Array.from({ length: 6 }, ask));
  return {
    async stop() {
      goesOn = false;
      await askers;
      return { answered, lost };
    },
  };
}

/** One server, then both, then the first drains, then only the second: a roll, as the registry tells it. */
async function roll(format: 'nginx' | 'haproxy', front: string, reload: () => Promise<void>): Promise<void> {
  const [old, next] = await Promise.all([modelServer('old'), modelServer('new')]);
  const [first, second] = [target(0, old.url), target(1, next.url)];
  const change = async (routes: RouteTable): Promise<void> => {
    await publish(format, routes);
    await reload();
    await delay(300);
  };
  await change(table({ targets: [first], position: 1 }));
  await eventually(async () => (await fetch(front)).ok);
  const requests = traffic(front);
  await delay(200);
  await change(table({ targets: [first, second], position: 2 }));
  await eventually(() => next.seen.count > 5);
  await change(table({ targets: [second], draining: [first], position: 3 }));
  await change(table({ targets: [second], position: 4 }));
  await eventually(async () => {
    const before = old.seen.count;
    await delay(300);
    return old.seen.count === before;
  });
  old.server.close();
  await delay(300);
  const { answered, lost } = await requests.stop();
  next.server.close();
  expect(lost).toEqual([]);
  expect(answered).toBeGreaterThan(50);
}

const started: ChildProcess[] = [];
function start(program: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { env: { PATH: PROGRAM_PATH }, stdio: 'ignore' });
  started.push(child);
  return child;
}
afterAll(() => started.forEach((child) => child.kill('SIGKILL')));

const FULL = table(
  {
    targets: [target(0, 'http://10.0.0.1:8000'), target(1, 'https://localhost/proxy', { weight: 7 })],
    draining: [target(2, 'http://[2001:db8::1]:8000')],
  },
  { alias: 'acme/Qwen/Qwen3:8B', targets: [target(3, 'http://10.0.0.4:8000', { weight: 0 })] },
  { alias: 'default/empty' },
);

describe('nginx', () => {
  let found = false;
  beforeAll(() => void (found = have('nginx')), 60_000);

  const main = async (port: number): Promise<string> => {
    const config = inFolder('nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder};`)
      .join(' ');
    await writeFile(
      config,
      `pid ${inFolder('pid')}; error_log ${inFolder('errors')}; worker_processes 1; events {}
       http { access_log off; ${temporary} include ${inFolder('routes.nginx')};
         server { listen 127.0.0.1:${port}; location / { proxy_pass http://default-qwen; proxy_next_upstream off; } } }\n`,
    );
    return config;
  };

  it('takes the file, and loses no request in a roll', async () => {
    if (!found) {
      expect(render('nginx', FULL)).toContain('upstream default-qwen {');
      return;
    }
    const port = await freePort();
    const config = await main(port);
    await publish('nginx', FULL);
    await run('nginx', ['-t', '-c', config], { env: { PATH: PROGRAM_PATH } });
    await publish('nginx', table({ targets: [target(0, 'http://127.0.0.1:9')] }));
    const child = start('nginx', ['-c', config, '-g', 'daemon off;']);
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 502);
    await roll('nginx', `http://127.0.0.1:${port}/`, async () => {
      await run('nginx', ['-c', config, '-s', 'reload'], { env: { PATH: PROGRAM_PATH } });
    });
    child.kill('SIGTERM');
    await once(child, 'exit');
  }, 60_000);
});

describe('HAProxy', () => {
  let found = false;
  beforeAll(() => void (found = have('haproxy')), 60_000);

  it('takes the file, and loses no request in a roll', async () => {
    if (!found) {
      expect(render('haproxy', FULL)).toContain('backend default-qwen');
      return;
    }
    const port = await freePort();
    const config = inFolder('haproxy.cfg');
    await writeFile(
      config,
      `global\n  stats socket ${inFolder('socket')} mode 600 expose-fd listeners level admin
defaults\n  mode http\n  timeout connect 2s\n  timeout client 10s\n  timeout server 10s
frontend models\n  bind 127.0.0.1:${port}\n  default_backend default-qwen\n`,
    );
    const files = ['-f', config, '-f', inFolder('routes.haproxy')];
    await publish('haproxy', FULL);
    await run('haproxy', ['-c', ...files], { env: { PATH: PROGRAM_PATH } });
    await publish('haproxy', table({ targets: [target(0, 'http://127.0.0.1:9')] }));
    const child = start('haproxy', ['-W', '-x', inFolder('socket'), ...files]);
    await eventually(async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 503);
    await roll('haproxy', `http://127.0.0.1:${port}/`, () => Promise.resolve(void child.kill('SIGUSR2')));
    child.kill('SIGTERM');
    await once(child, 'exit');
  }, 60_000);
});

describe('Prometheus', () => {
  let found = false;
  beforeAll(() => void (found = have('prometheus')), 60_000);

  it('discovers the targets over HTTP, keeps them while the registry is away, and drops what left', async () => {
    if (!found) {
      expect(JSON.parse(render('http-sd', FULL))).toHaveLength(4);
      return;
    }
    let routes = FULL;
    const registry = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(render('http-sd', routes));
    });
    await once(registry.listen(0, '127.0.0.1'), 'listening');
    const sdPort = portOf(registry);
    const port = await freePort();
    const config = inFolder('prometheus.yml');
    await writeFile(
      config,
      `scrape_configs:\n  - job_name: models\n    scrape_interval: 1h\n    http_sd_configs:\n      - url: http://127.0.0.1:${sdPort}/\n        refresh_interval: 1s\n`,
    );
    await run('promtool', ['check', 'config', config], { env: { PATH: PROGRAM_PATH } });
    const child = start('prometheus', [
      `--config.file=${config}`,
      `--storage.tsdb.path=${inFolder('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]);
    const replicas = async (): Promise<readonly string[]> => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/targets`);
      const { data } = (await answer.json()) as {
        data: { activeTargets: { discoveredLabels: Record<string, string> }[] };
      };
      return data.activeTargets.map(({ discoveredLabels }) => discoveredLabels['__meta_davit_replica'] ?? '').sort();
    };
    const all = [0, 1, 2, 3].map((ordinal) => `default/qwen-1-${ordinal}-1`);
    await eventually(async () => String(await replicas()) === String(all), { timeoutMs: 20_000, everyMs: 200 });
    registry.close();
    registry.closeAllConnections();
    await delay(1_500);
    expect(await replicas()).toEqual(all);
    routes = table({ targets: [target(1, 'http://10.0.0.2:8000')] });
    registry.listen(sdPort, '127.0.0.1');
    await eventually(async () => String(await replicas()) === 'default/qwen-1-1-1', {
      timeoutMs: 20_000,
      everyMs: 200,
    });
    child.kill('SIGTERM');
    await once(child, 'exit');
    registry.closeAllConnections();
    registry.close();
  }, 60_000);
});

describe('BIND', () => {
  let found = false;
  beforeAll(() => void (found = have('named-checkzone')), 60_000);

  it('takes the zone, with routes and without, and would not take a broken one', async () => {
    const check = (zone: string) =>
      run('named-checkzone', ['-i', 'local', 'davit.internal.', zone], { env: { PATH: PROGRAM_PATH } });
    await publish('zone', FULL);
    if (!found) {
      expect(render('zone', FULL)).toContain('$ORIGIN davit.internal.');
      return;
    }
    const { stdout } = await check(inFolder('routes.zone'));
    expect(stdout).toContain(`loaded serial ${FULL.position}`);
    expect(stdout).toMatch(/^OK$/m);
    await publish('zone', table());
    expect((await check(inFolder('routes.zone'))).stdout).toMatch(/^OK$/m);
    await replaceFile(inFolder('broken'), render('zone', FULL).replace('IN SRV 0 100', 'IN SRV zero 100'));
    await expect(check(inFolder('broken'))).rejects.toThrow();
  });
});
