import { followRoutes } from '@davit/subscriber';
import { type NatsConnection, connect } from 'nats';
import { type Arrival, type Awaited, PLAIN_SUBJECT, type Report } from './arrivals.js';

/** `subscribers.js <count> <aliases>`: subscribers of routes, each with a connection of its own. */
const { NATS_URL: servers = '' } = process.env;
const [, , count = '100', aliases = '1'] = process.argv;
const now = (): number => performance.timeOrigin + performance.now();
const arrived: Record<Awaited['kind'], Arrival[]> = { routes: [], plain: [] };
let awaited: Awaited | undefined;
let cpuBefore = process.cpuUsage();

function note(kind: Awaited['kind'], arrival: Arrival): void {
  arrived[kind].push(arrival);
  reportWhenWhole();
}

function reportWhenWhole(): void {
  if (awaited === undefined) return;
  const arrivals = arrived[awaited.kind];
  if (arrivals.length < awaited.arrivals) return;
  awaited = undefined;
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({ arrivals, cpuMs: (user + system) / 1_000 } satisfies Report);
  cpuBefore = process.cpuUsage();
}

async function subscribe(subscriber: number, connection: NatsConnection): Promise<void> {
  const known = new Set<string>();
  let ready: () => void = () => undefined;
  const restored = new Promise<void>((resolve) => (ready = resolve));
  void (async () => {
    for await (const { alias, snapshot } of followRoutes(connection)) {
      note('routes', { subscriber, what: `${alias} ${snapshot}`, atMs: now() });
      if (known.add(alias).size >= Number(aliases)) ready();
    }
  })();
  connection.subscribe(PLAIN_SUBJECT, {
    callback: (_error, message) => {
      note('plain', { subscriber, what: message.headers?.get('n') ?? '', atMs: now() });
    },
  });
  await Promise.all([restored, connection.flush()]);
}

process.on('message', (wanted: Awaited) => {
  awaited = wanted;
  reportWhenWhole();
});
process.on('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    await subscribe(index, await connect({ servers, name: `davit-bench-subscriber-${index}` }));
  }),
);
cpuBefore = process.cpuUsage();
process.send?.('ready');
