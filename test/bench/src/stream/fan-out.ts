import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventLog } from '@davit/event-log';
import type { Figure } from '../bench.js';
import { processorMs } from '../processor.js';
import { appender, sampleData } from '../sample.js';
import type { ServiceProcess } from '../service-process.js';
import type { Seen, Wanted } from './messages.js';

export type FanOutParts = {
  readonly log: EventLog;
  readonly api: ServiceProcess;
  readonly readers: number;
  readonly perSecond: number;
  readonly seconds: number;
};

const BUDGET_MS = 100;
/** More than this between a third of the run and its end is growth. */
const FLAT_MIB = 16;
const now = (): number => performance.timeOrigin + performance.now();

/**
 * Events are appended at a steady rate, and every reader gets each of them over HTTP. The time begins with the stamp that the log
 * gives an event. Beside it, the plainest server writes as many bytes to as many readers.
 */
export async function streamFanOut(parts: FanOutParts): Promise<readonly Figure[]> {
  const plain = await plainly(parts);
  const real = await throughTheLog(parts);
  const ratio = (of: 'p50Ms' | 'p99Ms'): number => real.seen[of] / plain[of];
  const { readers, perSecond, seconds } = parts;
  return [
    { what: `plain server → a reader of ${readers}, p50`, value: plain.p50Ms, unit: 'ms' },
    { what: `plain server → a reader of ${readers}, p99`, value: plain.p99Ms, unit: 'ms' },
    { what: 'event in the log → a reader, p50', value: real.seen.p50Ms, unit: 'ms', ratio: ratio('p50Ms') },
    {
      ...{ what: 'event in the log → a reader, p99', value: real.seen.p99Ms, unit: 'ms', ratio: ratio('p99Ms') },
      budget: { atMost: BUDGET_MS },
    },
    { what: 'event in the log → a reader, worst', value: real.seen.worstMs, unit: 'ms' },
    {
      what: 'deliveries',
      value: real.seen.arrivals / seconds,
      unit: '/s',
      budget: { atLeast: readers * perSecond * 0.95 },
    },
    { what: 'positions that a reader missed', value: real.seen.gaps, unit: '×', budget: { atMost: 0 } },
    { what: 'memory of spec-api, growth', value: real.growthMiB, unit: 'MiB', budget: { atMost: FLAT_MIB } },
    { what: 'processor time of spec-api, each delivery', value: real.cpuMs / real.seen.arrivals, unit: 'ms' },
  ];
}

async function plainly({ readers, perSecond, seconds }: FanOutParts): Promise<Seen> {
  const server = fork(new URL('./plain.js', import.meta.url));
  const [port] = (await once(server, 'message')) as [number];
  const crowd = await crowdOf(`http://127.0.0.1:${port}`, readers, perSecond * seconds);
  try {
    const begunMs: Record<string, number> = {};
    await steadily(perSecond, seconds, (turn) => {
      begunMs[turn + 1] = now();
      server.send(`id: ${turn + 1}\ndata: ${JSON.stringify(sampleData)}\n\n`);
      return Promise.resolve();
    });
    return await reported(crowd, { arrivals: readers * perSecond * seconds, begunMs });
  } finally {
    crowd.kill();
    server.kill();
  }
}

async function throughTheLog(parts: FanOutParts): Promise<{ seen: Seen; growthMiB: number; cpuMs: number }> {
  const { log, api, readers, perSecond, seconds } = parts;
  const head = await log.head();
  const crowd = await crowdOf(`${api.url}/v1/events/stream?after=${head}`, readers, perSecond * seconds);
  try {
    const append = appender(log, 'stream');
    const cpuBefore = processorMs(api.pid);
    let warmMiB = Number.NaN;
    await steadily(perSecond, seconds, async (turn) => {
      await append();
      if (turn === Math.floor((perSecond * seconds) / 3)) warmMiB = residentMiB(api.pid);
    });
    const events = await log.read(head, perSecond * seconds);
    const begunMs = Object.fromEntries(events.map(({ position, time }) => [String(position), Date.parse(time)]));
    const seen = await reported(crowd, { arrivals: readers * events.length, begunMs });
    return { seen, growthMiB: residentMiB(api.pid) - warmMiB, cpuMs: processorMs(api.pid) - cpuBefore };
  } finally {
    crowd.kill();
  }
}

async function crowdOf(url: string, readers: number, events: number): Promise<ChildProcess> {
  const child = fork(new URL('./readers.js', import.meta.url), [url, String(readers), String(readers * events)]);
  await once(child, 'message');
  return child;
}

async function reported(child: ChildProcess, wanted: Wanted): Promise<Seen> {
  child.send(wanted);
  const [seen] = (await once(child, 'message')) as [Seen];
  return seen;
}

/** Starts each piece when it is due, whether or not earlier ones are done; resolves when all are. */
async function steadily(perSecond: number, seconds: number, work: (turn: number) => Promise<unknown>): Promise<void> {
  const startMs = now();
  const pending: Promise<unknown>[] = [];
  while (pending.length < perSecond * seconds) {
    const due = Math.min(perSecond * seconds, Math.floor(((now() - startMs) / 1_000) * perSecond) + 1);
    while (pending.length < due) pending.push(work(pending.length));
    await delay(2);
  }
  await Promise.all(pending);
}

function residentMiB(pid: number | undefined): number {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(resident) / 1_024;
}
