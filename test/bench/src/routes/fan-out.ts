import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '@davit/event-log';
import { type NatsConnection, headers } from 'nats';
import type { Figure } from '../bench.js';
import { percentile } from '../measure.js';
import { verdict } from './fleet.js';
import { type Arrival, PLAIN_SUBJECT, type Report } from './arrivals.js';

export type FanOutParts = {
  readonly log: EventLog;
  readonly connection: NatsConnection;
  /** Deployments whose routes change in turn. */
  readonly names: readonly string[];
  readonly subscribers: number;
  readonly changes: number;
};

const BUDGET_MS = 50;
const PAUSE_MS = 100;
const now = (): number => performance.timeOrigin + performance.now();

/**
 * A replica is found hung, or well again: the registry decides, and every subscriber gets the new snapshot through log, relay and
 * broker. Beside it, the same bytes published to as many plain subscriptions.
 */
export async function fanOut(parts: FanOutParts): Promise<readonly Figure[]> {
  const { log, names, subscribers } = parts;
  const child = fork(new URL('./subscribers.js', import.meta.url), [String(subscribers), String(names.length)]);
  try {
    await once(child, 'message');
    const before = await log.head();
    const decided = await change(parts);
    const published = await snapshotsAfter(log, before, parts.changes);
    const sent = await publishPlain(parts, published.bytes);
    const report = await reported(child, parts, published.atMs.size);
    const seen = arrivals(report.routes, published.atMs);
    const whole = arrivals(report.routes, withEvidence(published.atMs, decided));
    const plain = arrivals(report.plain, sent);
    return figuresOf(parts, { seen, whole, plain });
  } finally {
    child.kill();
  }
}

type Arrived = { readonly each: readonly number[]; readonly last: readonly number[] };

function figuresOf({ subscribers }: FanOutParts, of: Record<'seen' | 'whole' | 'plain', Arrived>): readonly Figure[] {
  const { seen, whole, plain } = of;
  const figure = (what: string, of: keyof Arrived, from: Arrived, share: number, budget = false): Figure => {
    const value = percentile(from[of], share);
    const ratio = from === plain ? {} : { ratio: value / percentile(plain[of], share) };
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

/** When the prober's word of each change was told, in the order of the changes. */
async function change({ log, names, changes }: FanOutParts): Promise<readonly number[]> {
  const toldMs: number[] = [];
  for (let turn = 0; turn < changes; turn++) {
    const name = names[turn % names.length] ?? '';
    const ready = Math.floor(turn / names.length) % 2 === 1;
    toldMs.push(now());
    await log.append([verdict(name, 0, ready)], { tenant: 'default', service: 'bench' });
    await delay(PAUSE_MS);
  }
  return toldMs;
}

type Published = { readonly atMs: ReadonlyMap<string, number>; readonly bytes: number };

/** The snapshots of all changes, in their order, by the time that the log gave them. */
async function snapshotsAfter(log: EventLog, position: number, changes: number): Promise<Published> {
  for (;;) {
    const events = await log.read(position, 50_000);
    const snapshots = events.filter(({ type }) => type === 'davit.route.snapshot-published');
    const atMs = new Map(
      snapshots.flatMap(({ type, data, time }) =>
        type === 'davit.route.snapshot-published'
          ? [[`${data.alias} ${data.snapshot}`, Date.parse(time)] as const]
          : [],
      ),
    );
    if (atMs.size >= changes) return { atMs, bytes: Buffer.byteLength(JSON.stringify(snapshots.at(-1))) };
    await delay(20);
  }
}

/** From the prober's word on, instead of from the snapshot: changes and snapshots come in the same order. */
const withEvidence = (atMs: ReadonlyMap<string, number>, toldMs: readonly number[]): ReadonlyMap<string, number> =>
  new Map([...atMs.keys()].map((what, index) => [what, toldMs[index] ?? Number.NaN]));

async function publishPlain({ connection, changes }: FanOutParts, bytes: number): Promise<ReadonlyMap<string, number>> {
  const sentMs = new Map<string, number>();
  const payload = Buffer.alloc(bytes, 'x');
  for (let turn = 0; turn < changes; turn++) {
    const head = headers();
    head.set('n', String(turn));
    sentMs.set(String(turn), now());
    connection.publish(PLAIN_SUBJECT, payload, { headers: head });
    await delay(PAUSE_MS);
  }
  return sentMs;
}

async function reported(
  child: ReturnType<typeof fork>,
  { subscribers, changes, names }: FanOutParts,
  snapshots: number,
): Promise<Report> {
  for (;;) {
    child.send('report');
    const [report] = (await once(child, 'message')) as [Report];
    const isWhole =
      report.plain.length >= changes * subscribers && report.routes.length >= (snapshots + names.length) * subscribers;
    if (isWhole) return report;
    await delay(100);
  }
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
  return { each, last: [...last.values()] };
}
