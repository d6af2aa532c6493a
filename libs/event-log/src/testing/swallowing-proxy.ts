import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A way to a TCP server on which packets can vanish, without either end being told. */
export interface SwallowingProxy {
  /** The given address with the proxy's host and port in place of its own. */
  through(url: string): string;
  /** From now on bytes vanish, both ways. Connections of this time are dead for good, as after a lost NAT table. */
  swallow(): void;
  /** New connections pass again. */
  pass(): void;
  /** Connections that were opened and not yet closed by both ends. */
  open(): number;
  close(): Promise<void>;
}

export async function swallowingProxy(target: string): Promise<SwallowingProxy> {
  const { hostname, port } = new URL(target);
  const dead = new WeakSet<Socket>();
  const sockets = new Set<Socket>();
  let swallowing = false;

  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    const join = (from: Socket, to: Socket): void => {
      sockets.add(from);
      if (swallowing) dead.add(from);
      from.on('data', (bytes) => !dead.has(from) && to.write(bytes));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        // What vanishes takes the farewell with it.
        if (!dead.has(from)) to.destroy();
      });
    };
    join(inner, outer);
    join(outer, inner);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo; // it listens on TCP
  return {
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${address.port}`;
      return changed.href;
    },
    swallow() {
      swallowing = true;
      for (const socket of sockets) dead.add(socket);
    },
    pass: () => void (swallowing = false),
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
