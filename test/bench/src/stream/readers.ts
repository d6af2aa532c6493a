import { request } from 'node:http';
import type { Seen, Wanted } from './messages.js';
import { percentile } from '../measure.js';

/**
 * `readers.js <url> <count> <arrivals>`: readers of a stream of server-sent events, each with a connection of its own, and how many
 * arrivals there will be at most. Of frames only the position is read, and nothing is left for collections to do, so that the readers
 * cost the machine as little as they can.
 */
const [, , url = '', count = '1', most = '0'] = process.argv;
const ID = Buffer.from('id: ');
const LINE_END = 10;
const ZERO = 48;
const now = (): number => performance.timeOrigin + performance.now();
const positions = new Float64Array(Number(most));
const arrivedMs = new Float64Array(Number(most));
let arrivals = 0;
let gaps = 0;
let wanted: Wanted | undefined;

class Reader {
  private rest: Buffer = Buffer.alloc(0);
  private last: number | undefined;

  take(piece: Buffer): void {
    const atMs = now();
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    let begin = 0;
    for (let end = bytes.indexOf(LINE_END); end !== -1; end = bytes.indexOf(LINE_END, begin)) {
      if (bytes[begin] === ID[0] && bytes[begin + 1] === ID[1]) this.note(digits(bytes, begin + ID.length, end), atMs);
      begin = end + 1;
    }
    this.rest = bytes.subarray(begin);
  }

  private note(position: number, atMs: number): void {
    if (this.last !== undefined && position <= this.last) return;
    if (this.last !== undefined && position !== this.last + 1) gaps += 1;
    this.last = position;
    positions[arrivals] = position;
    arrivedMs[arrivals] = atMs;
    arrivals += 1;
  }
}

function digits(bytes: Buffer, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + (bytes[at] ?? ZERO) - ZERO;
  return value;
}

function open(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent: false, headers: { accept: 'text/event-stream' } }, (response) => {
      const reader = new Reader();
      if (response.statusCode !== 200) reject(new Error(`the stream answered ${response.statusCode}`));
      response.on('data', (piece: Buffer) => {
        reader.take(piece);
        resolve();
        reportWhenWhole();
      });
    });
    asked.once('error', reject).end();
  });
}

function reportWhenWhole(): void {
  if (!wanted || arrivals < wanted.arrivals) return;
  const { begunMs } = wanted;
  wanted = undefined;
  const tookMs = Array.from(positions.subarray(0, arrivals)).flatMap((position, index) => {
    const began = begunMs[String(position)];
    return began === undefined ? [] : [(arrivedMs[index] ?? Number.NaN) - began];
  });
  process.send?.({
    arrivals: tookMs.length,
    p50Ms: percentile(tookMs, 0.5),
    p99Ms: percentile(tookMs, 0.99),
    worstMs: percentile(tookMs, 1),
    gaps,
  } satisfies Seen);
}

process.on('message', (message: Wanted) => {
  wanted = message;
  reportWhenWhole();
});
process.on('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
await Promise.all(Array.from({ length: Number(count) }, open));
process.send?.('ready');
