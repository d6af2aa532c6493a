import { request } from 'node:http';
import type { Seen, Wanted } from './messages.js';
import { percentile } from '../measure.js';

/**
 * `readers.js <url> <count>`: readers of a stream of server-sent events, each with a connection of its own. Frames are found by
 * their first line alone, so that the readers cost the machine as little as they can.
 */
const [, , url = '', count = '1'] = process.argv;
const FRAME = Buffer.from('\nid: ');
const now = (): number => performance.timeOrigin + performance.now();
const positions: number[] = [];
const arrivedMs: number[] = [];
let gaps = 0;
let wanted: Wanted | undefined;

class Reader {
  private rest: Buffer = Buffer.alloc(0);
  private last: number | undefined;

  take(piece: Buffer): void {
    const atMs = now();
    const bytes = this.rest.length === 0 ? piece : Buffer.concat([this.rest, piece]);
    let searched = 0;
    for (;;) {
      const start = bytes.indexOf(FRAME, searched);
      if (start === -1) break;
      const end = bytes.indexOf(10, start + FRAME.length);
      if (end === -1) break;
      this.note(Number(bytes.subarray(start + FRAME.length, end).toString('latin1')), atMs);
      searched = end;
    }
    this.rest = bytes.subarray(Math.max(searched, bytes.length - 32));
  }

  private note(position: number, atMs: number): void {
    if (this.last !== undefined && position <= this.last) return;
    if (this.last !== undefined && position !== this.last + 1) gaps += 1;
    this.last = position;
    positions.push(position);
    arrivedMs.push(atMs);
  }
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
  if (!wanted || positions.length < wanted.arrivals) return;
  const { begunMs } = wanted;
  wanted = undefined;
  const tookMs = positions.flatMap((position, index) => {
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
