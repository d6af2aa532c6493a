import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '@davit/event-log';
import { type NatsConnection, headers } from 'nats';
import type { Figure } from '../bench.js';
import { percentile } from '../measure.js';
import { type Arrival, type Awaited, PLAIN_SUBJECT, type Report } from './arrivals.js';
import { verdict } from './fleet.js';
import { type Logged, hopFigures } from './hops.js';
import { processorMs } from '../processor.js';
import type { ServiceProcess } from '../service-process.js';

export type FanOutParts = {
  readonly log: EventLog;
  readonly registry: ServiceProcess;
  readonly connection: NatsConnection;
  /** Deployments whose routes change in turn. */
  readonly names: readonly string[];
  readonly subscribers: number;
  readonly changes: number;
  /** From one change to the next. */
  readonly everyMs: number;
};

const BUDGET_MS = 50;
const now = (): number => performance.timeOrigin + performance.now();

/**
 * A replica is found hung, or well again: the registry decides, and every subscriber gets the new snapshot through log, relay and
 * broker. A route has changed when the log says so: the time begins with the stamp that the log gives the snapshot, before it commits
 * it. Beside it, the same bytes published to as many plain subscriptions.
 */
export async function fanOut(parts: FanOutParts): Promise<readonly Figure[]> {
  const { log, registry, connection, names, subscribers } = parts;
  const child = fork(new URL('./subscribers.js', import.meta.url), [String(subscribers), String(names.length)]);
  try {
    await once(child, 'message');
    const before = await log.head();
    const registryMs = processorMs(registry.pid);
    const evidence = await change(parts);
    const { snapshots, bytes } = await snapshotsAfter(log, before, parts.changes);
    const routes = await reported(child, 'routes', (names.length + snapshots.size) * subscribers);
    const decidingMs = processorMs(registry.pid) - registryMs;
    const sent = await publishPlain(parts, bytes);
    const told = await reported(child, 'plain', parts.changes * subscribers);
    const changed = new Map([...snapshots].map(([what, { atMs }]) => [what, atMs]));
    const seen = arrivals(routes.arrivals, changed);
    const plain = arrivals(told.arrivals, sent);
    const whole = arrivals(routes.arrivals, withEvidence(changed, evidence));
    const lastMs = new Map([...changed].map(([what, atMs]) => [what, atMs + (seen.last.get(what) ?? Number.NaN)]));
    return [
      ...figuresOf(parts, { seen, whole, plain }),
      ...(await hopFigures(connection, { evidence, snapshots, lastMs })),
      { what: 'processor time of the registry, each change', value: decidingMs / snapshots.size, unit: 'ms' },
      { what: 'processor time of a subscriber, each change', value: routes.cpuMs / seen.each.length, unit: 'ms' },
      { what: 'processor time of a plain subscription, each', value: told.cpuMs / plain.each.length, unit: 'ms' },
    ];
  } finally {
    child.kill();
  }
}

type Arrived = { readonly each: readonly number[]; readonly last: ReadonlyMap<string, number> };

function figuresOf({ subscribers }: FanOutParts, of: Record<'seen' | 'whole' | 'plain', Arrived>): readonly Figure[] {
  const { seen, whole, plain } = of;
  const took = (of: keyof Arrived, from: Arrived, share: number): number => percentile([...from[of].values()], share);
  const figure = (what: string, of: keyof Arrived, from: Arrived, share: number, budget = false): Figure => {
    const value = took(of, from, share);
    const ratio = from === plain ? {} : { ratio: value / took(of, plain, share) };
    return { what, value, unit: 'ms', ...ratio, ...(budget ? { budget: { atMost: BUDGET_MS } } : {}) };
  };
  return [
    figure(`plain publish → a subscription of ${subscribers}, p99`, 'each', plain, 0.99),
    figure('plain publish → the last of them, p99', 'last', plain, 0.99),
    figure('route change → a subscriber, p50', 'each', seen, 0.5),
    figure('route change → a subscriber, p99', 'each', seen, 0.99, true),
    figure('route change → the last subscriber, p50', 'last', seen, 0.5),
    figure('route change → the last subscriber, p99', 'last', seen, 0.99, true),
    figure('evidence told → the last subscriber, p50', 'last', whole, 0.5),
    figure('evidence told → the last subscriber, p99', 'last', whole, 0.99),
  ];
}

type Told = Logged & { readonly toldMs: number };

/** The prober's word of each change, in the order of the changes. */
async function change({ log, names, changes, everyMs }: FanOutParts): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (let turn = 0; turn < changes; turn++) {
    const name = names[turn % names.length] ?? '';
    const ready = Math.floor(turn / names.length) % 2 === 1;
    const toldMs = now();
    const result = await log.append([verdict(name, 0, ready)], { tenant: 'default', service: 'bench' });
    const event = result.outcome === 'appended' ? result.events[0] : undefined;
    if (!event) throw new Error(`the log answered ${result.outcome}`);
    told.push({ toldMs, position: event.position, atMs: Date.parse(event.time) });
    await delay(everyMs);
  }
  return told;
}

type Published = { readonly snapshots: ReadonlyMap<string, Logged>; readonly bytes: number };

/** The snapshots of all changes, in their order, by the time that the log gave them. */
async function snapshotsAfter(log: EventLog, position: number, changes: number): Promise<Published> {
  for (;;) {
    const events = (await log.read(position, 50_000)).filter(({ type }) => type === 'davit.route.snapshot-published');
    const snapshots = new Map(
      events.flatMap(({ type, data, time, position: at }) =>
        type === 'davit.route.snapshot-published'
          ? [[`${data.alias} ${data.snapshot}`, { position: at, atMs: Date.parse(time) }] as const]
          : [],
      ),
    );
    if (snapshots.size >= changes) return { snapshots, bytes: Buffer.byteLength(JSON.stringify(events.at(-1))) };
    await delay(100);
  }
}

/** From the prober's word on, instead of from the snapshot: changes and snapshots come in the same order. */
const withEvidence = (atMs: ReadonlyMap<string, number>, told: readonly Told[]): ReadonlyMap<string, number> =>
  new Map([...atMs.keys()].map((what, index) => [what, told[index]?.toldMs ?? Number.NaN]));

async function publishPlain(
  { connection, changes, everyMs }: FanOutParts,
  bytes: number,
): Promise<ReadonlyMap<string, number>> {
  const sentMs = new Map<string, number>();
  const payload = Buffer.alloc(bytes, 'x');
  for (let turn = 0; turn < changes; turn++) {
    const head = headers();
    head.set('n', String(turn));
    sentMs.set(String(turn), now());
    connection.publish(PLAIN_SUBJECT, payload, { headers: head });
    await delay(everyMs);
  }
  return sentMs;
}

async function reported(child: ReturnType<typeof fork>, kind: Awaited['kind'], arrivals: number): Promise<Report> {
  child.send({ kind, arrivals } satisfies Awaited);
  const [report] = (await once(child, 'message')) as [Report];
  return report;
}

/** Of what began at these times: how long each arrival took, and the last arrival of each. */
function arrivals(all: readonly Arrival[], beganMs: ReadonlyMap<string, number>): Arrived {
  const last = new Map<string, number>();
  const each = all.flatMap(({ what, atMs }) => {
    const began = beganMs.get(what);
    if (began === undefined) return [];
    last.set(what, Math.max(last.get(what) ?? 0, atMs - began));
    return [atMs - began];
  });
  return { each, last };
}
