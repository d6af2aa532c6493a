import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from './eventually.js';
import { forgetProcess, markedEnvironment, recordProcess } from './ledger.js';

export interface NatsOptions {
  /** Default: a free one, kept over restarts. */
  readonly port?: number;
  /** More lines for the server's settings file. */
  readonly extraConfig?: string;
  /** Sync every write to disk (server 2.10 or newer). Default false. */
  readonly syncAlways?: boolean;
}

/** A NATS server with JetStream of a test's own, to be hurt at will. */
export interface NatsBroker {
  readonly url: string;
  readonly port: number;
  readonly storeDir: string;
  /** Asks the server to end and waits for it. */
  stop(): Promise<void>;
  /** Ends the server without warning. */
  kill9(): Promise<void>;
  /** Starts it again on the same port and store, after `stop` or `kill9` or while it runs. */
  restart(): Promise<void>;
  /** Kills the server and starts it on an empty store. */
  wipe(): Promise<void>;
  /** Keeps a copy of the store as it is on disk now. For a consistent copy stop the server first. */
  copyStore(): Promise<string>;
  /** Kills the server, puts the copy in place of the store, and starts it. */
  restoreStore(copy: string): Promise<void>;
  /** Ends the server and removes everything it wrote. */
  dispose(): Promise<void>;
}

/** Starts a private server; call `dispose` at the end of the test. */
export async function startNats(options: NatsOptions = {}): Promise<NatsBroker> {
  const binary = process.env['NATS_SERVER_BIN'];
  if (binary === undefined)
    throw new Error('NATS_SERVER_BIN is not set: only the jest project "int" finds a NATS server');
  const dir = await mkdtemp(path.join(process.env['DAVIT_TEST_SCRATCH'] ?? tmpdir(), 'davit-nats-'));
  await chmod(dir, 0o755);
  const storeDir = path.join(dir, 'store');
  const port = options.port ?? (await freePort());
  const config = path.join(dir, 'nats.conf');
  const sync = options.syncAlways === true ? 'sync_interval: always' : '';
  await writeFile(
    config,
    `listen: "127.0.0.1:${port}"\nmax_payload: 8MB\njetstream { store_dir: ${JSON.stringify(storeDir)}\nmax_file_store: 10GB\n${sync} }\n${options.extraConfig ?? ''}\n`,
  );
  let child: ChildProcess | undefined;
  let copies = 0;

  const start = async (): Promise<void> => {
    const started = spawn(binary, ['-c', config], {
      env: markedEnvironment(),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    let log = '';
    started.stderr.setEncoding('utf8').on('data', (chunk: string) => (log = (log + chunk).slice(-4_000)));
    if (started.pid !== undefined) recordProcess(`nats-${started.pid}`, started.pid);
    await eventually(
      async () => {
        if (started.exitCode !== null || started.signalCode !== null)
          throw new Error(`nats-server ended at once: ${log}`);
        return (await answers(port)) && log.includes('Server is ready');
      },
      { timeoutMs: 15_000 },
    );
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined) return;
    if (running.exitCode === null && running.signalCode === null) {
      const ended = once(running, 'exit');
      running.kill(signal);
      await ended;
    }
    if (running.pid !== undefined) forgetProcess(`nats-${running.pid}`);
  };
  const replaceStore = async (copy?: string): Promise<void> => {
    await end('SIGKILL');
    await rm(storeDir, { recursive: true, force: true });
    if (copy !== undefined) await cp(copy, storeDir, { recursive: true });
    await start();
  };

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    storeDir,
    stop: () => end('SIGTERM'),
    kill9: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      await start();
    },
    wipe: () => replaceStore(),
    copyStore: async () => {
      copies += 1;
      const copy = path.join(dir, `copy-${copies}`);
      await cp(storeDir, copy, { recursive: true });
      return copy;
    },
    restoreStore: (copy) => replaceStore(copy),
    dispose: async () => {
      await end('SIGKILL');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server must have a port');
  return address.port;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
