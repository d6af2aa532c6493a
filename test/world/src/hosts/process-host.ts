import { fork, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type WorldRandom } from '../clock.js';
import { type Address, type Listener, type MachineHost, type ServerHandle } from '../cloud/host.js';
import { type ModelServerConfig } from '../model-server/config.js';
import { forward } from '../http/forward.js';
import { serve, type RunningServer } from '../http/node-server.js';
import { type WireHandler, type WireReply, type WireRequest } from '../http/wire.js';
import { type HostMessage, type ServerMessage } from '../model-server/messages.js';
import { type ServerEvents } from '../model-server/server.js';

// Below the range from which the kernel takes ports for outgoing connections, so that a port reserved
// for a model that is still loading is not taken by a client meanwhile.
const LOWEST_PORT = 20_000;
const PORT_COUNT = 12_000;

/** One process on loopback for every model server. The processes end when this one does. */
export class ProcessHost implements MachineHost {
  private readonly children = new Set<ChildProcess>();
  private readonly reserved = new Set<number>();
  private readonly servers = new Set<RunningServer>();

  constructor(
    private readonly random: WorldRandom,
    private readonly entry = fileURLToPath(new URL('../model-server/main.js', import.meta.url)),
  ) {}

  async reserve(): Promise<Address> {
    for (;;) {
      const port = LOWEST_PORT + Math.floor(this.random.next() * PORT_COUNT);
      if (this.reserved.has(port)) continue;
      this.reserved.add(port);
      if (await isFree(port)) return { host: '127.0.0.1', port };
      this.reserved.delete(port);
    }
  }

  release(address: Address): void {
    this.reserved.delete(address.port);
  }

  start(address: Address, config: ModelServerConfig, events: ServerEvents): ServerHandle {
    const child = fork(this.entry, [], {
      env: {},
      execArgv: ['--max-old-space-size=64'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.children.add(child);
    const exited = new Promise<void>((resolve) => {
      child.once('exit', () => {
        this.children.delete(child);
        resolve();
        events.exited();
      });
    });
    child.on('message', ({ shown }: ServerMessage) => events.keyShown(shown));
    const send = (message: HostMessage): void => {
      // A message to a server that is ending may be lost; its end is noticed by itself.
      if (child.connected) child.send(message, () => undefined);
    };
    send({ kind: 'start', port: address.port, config });
    return {
      setFaults: (faults) => send({ kind: 'faults', faults }),
      believe: (traffic) => send({ kind: 'traffic', traffic }),
      stop: () => {
        child.kill('SIGKILL');
        return exited;
      },
    };
  }

  async listen(handler: WireHandler): Promise<Listener> {
    const address = await this.reserve();
    const server = await serve(handler, address.port);
    this.servers.add(server);
    return {
      address,
      close: async () => {
        if (!this.servers.delete(server)) return;
        await server.close();
        this.release(address);
      },
    };
  }

  route(request: WireRequest): Promise<WireReply> {
    return forward(request);
  }

  /** Ends every model server, and closes every other port. */
  async close(): Promise<void> {
    await Promise.all([...this.servers].map((server) => server.close()));
    await Promise.all(
      [...this.children].map(
        (child) =>
          new Promise<void>((resolve) => {
            child.once('exit', () => resolve());
            child.kill('SIGKILL');
          }),
      ),
    );
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
