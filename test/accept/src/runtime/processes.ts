import { readFile, readdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';

export interface Process {
  readonly pid: number;
  /** Its arguments, or the title that it gave itself. */
  readonly command: string;
}

/** Children of a process, as `/proc` has them. */
export async function childrenOf(parent: number): Promise<readonly Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command] = await Promise.all(['stat', 'cmdline'].map((file) => read(`/proc/${pid}/${file}`)));
      // Fields 3 and 4, after a name that may hold anything.
      const [, parentPid] = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ');
      return Number(parentPid) === parent ? [{ pid, command: (command ?? '').replaceAll('\0', ' ').trim() }] : [];
    }),
  );
  return found.flat();
}

/** A process may end while it is looked at. */
const read = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

/** A port of the loopback at which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}
