import { seeded, type WorldClock } from '../clock.js';
import { type Address, type Listener, type MachineHost, type ServerHandle } from '../cloud/host.js';
import { type WireHandler, type WireReply, type WireRequest } from '../http/wire.js';
import { type ModelServerConfig } from '../model-server/config.js';
import { ModelServer, opensAfterMs, type ServerEvents } from '../model-server/server.js';

const FIRST_PORT = 20_000;

/** Model servers without sockets or processes, for virtual time. */
export class MemoryHost implements MachineHost {
  private readonly open = new Map<string, ModelServer>();
  private readonly handlers = new Map<string, WireHandler>();
  private lastPort = FIRST_PORT;

  constructor(private readonly clock: WorldClock) {}

  reserve(): Promise<Address> {
    this.lastPort += 1;
    return Promise.resolve({ host: '127.0.0.1', port: this.lastPort });
  }

  release(): void {
    // Ports are never used twice here, so nothing has to be given back.
  }

  start(address: Address, config: ModelServerConfig, events: ServerEvents): ServerHandle {
    const key = `${address.host}:${address.port}`;
    const close = (): void => {
      stopLoading();
      if (this.open.get(key) === server) this.open.delete(key);
    };
    const server = new ModelServer(config, this.clock, seeded(address.port), {
      ...events,
      exited: () => {
        close();
        events.exited();
      },
    });
    const stopLoading = this.clock.schedule(opensAfterMs(config), () => this.open.set(key, server));
    return {
      setFaults: (faults) => server.setFaults(faults),
      believe: (traffic) => server.believe(traffic),
      stop: () => {
        close();
        return Promise.resolve();
      },
    };
  }

  async listen(handler: WireHandler): Promise<Listener> {
    const address = await this.reserve();
    const key = `${address.host}:${address.port}`;
    this.handlers.set(key, handler);
    return {
      address,
      close: () => {
        this.handlers.delete(key);
        return Promise.resolve();
      },
    };
  }

  route(request: WireRequest): Promise<WireReply> {
    const handler = this.handlers.get(request.url.host);
    if (handler) return handler(request);
    const server = this.open.get(request.url.host);
    return server ? server.handle(request) : Promise.resolve({ kind: 'refused' });
  }
}
