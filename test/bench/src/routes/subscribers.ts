import { followRoutes } from '@davit/subscriber';
import { type NatsConnection, connect } from 'nats';
import { type Arrival, PLAIN_SUBJECT, type Report } from './arrivals.js';

/** `subscribers.js <count> <aliases>`: subscribers of routes, each with a connection of its own. */
const { NATS_URL: servers = '' } = process.env;
const [, , count = '100', aliases = '1'] = process.argv;
const now = (): number => performance.timeOrigin + performance.now();
const routes: Arrival[] = [];
const plain: Arrival[] = [];

async function subscribe(subscriber: number, connection: NatsConnection): Promise<void> {
  const known = new Set<string>();
  let ready: () => void = () => undefined;
  const restored = new Promise<void>((resolve) => (ready = resolve));
  void (async () => {
    for await (const { alias, snapshot } of followRoutes(connection)) {
      routes.push({ subscriber, what: `${alias} ${snapshot}`, atMs: now() });
      if (known.add(alias).size >= Number(aliases)) ready();
    }
  })();
  connection.subscribe(PLAIN_SUBJECT, {
    callback: (_error, message) => {
      plain.push({ subscriber, what: message.headers?.get('n') ?? '', atMs: now() });
    },
  });
  await Promise.all([restored, connection.flush()]);
}

process.on('message', () => process.send?.({ routes, plain } satisfies Report));
process.on('disconnect', () => process.exit());
await Promise.all(
  Array.from({ length: Number(count) }, async (_, index) => {
    await subscribe(index, await connect({ servers, name: `davit-bench-subscriber-${index}` }));
  }),
);
process.send?.('ready');
