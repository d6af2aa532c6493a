import { type EventFilter, isWhole } from '@davit/domain';
import { type Clock, sleep } from '@davit/ports';
import type { EventReader } from './event-tail.js';
import { checkpointFrame, framesOf } from './frames.js';

/** Where a stream of server-sent events is written to; a `ServerResponse` is one. */
export interface StreamSink {
  write(bytes: string | Buffer): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

export interface EventStreamOptions {
  readonly reader: EventReader;
  readonly filter: EventFilter;
  readonly clock: Clock;
  /** Silence after which the stream says that it is still there. */
  readonly heartbeatMs: number;
  /** A reader that takes nothing for this long is let go; it resumes from what it had. */
  readonly stallMs: number;
  /** Ends the stream: the reader left, or the service stops. */
  readonly signal: AbortSignal;
}

/** How often a filtered stream tells how far it is while it sends events. */
const CHECKPOINT_MS = 1_000;

/**
 * Writes events from a position on, for as long as the reader stays. The next page is taken only when the last one has
 * left, so a slow reader costs one page of memory and falls behind instead. Positions of a stream of everything have no gaps; a
 * filtered one says now and then how far it has looked and how many it sent since the last time, so that a reader can tell that
 * nothing was lost on the way, and resumes behind what it need not see again.
 * @throws {StalledReaderError}
 */
export async function streamEvents(sink: StreamSink, options: EventStreamOptions): Promise<void> {
  const { reader, filter, clock, heartbeatMs, signal } = options;
  const checkpoints = isWhole(filter) ? undefined : new Checkpoints(reader.at);
  let spokeAtMs = clock.monotonicMs();
  const say = async (bytes: string | Buffer): Promise<void> => {
    spokeAtMs = clock.monotonicMs();
    await send(sink, bytes, options);
  };
  await say('retry: 1000\n\n');
  for (;;) {
    const page = await reader.next();
    if (signal.aborted) return;
    const { bytes, count } = framesOf(page, filter);
    if (count > 0) await say(bytes);
    const silentMs = clock.monotonicMs() - spokeAtMs;
    const due = checkpoints?.next(reader.at, count, clock.monotonicMs(), silentMs >= heartbeatMs);
    if (due !== undefined) await say(due);
    // A line that starts with a colon is a comment: it keeps the connection open.
    else if (silentMs >= heartbeatMs) await say(`: at ${reader.at}\n\n`);
  }
}

/** The reader of a stream has not taken anything for too long. */
export class StalledReaderError extends Error {
  readonly code = 'stalled-reader';
  constructor(stallMs: number) {
    super(`the reader took nothing for ${stallMs} ms; it resumes from its last event`);
    this.name = 'StalledReaderError';
  }
}

class Checkpoints {
  private delivered = 0;
  private toldAtMs = -Infinity;

  constructor(private after: number) {}

  next(position: number, count: number, nowMs: number, silent: boolean): string | undefined {
    this.delivered += count;
    const due = silent || (this.delivered > 0 && nowMs - this.toldAtMs >= CHECKPOINT_MS);
    if (!due || position === this.after) return undefined;
    const frame = checkpointFrame({ after: this.after, position, delivered: this.delivered });
    this.after = position;
    this.delivered = 0;
    this.toldAtMs = nowMs;
    return frame;
  }
}

async function send(sink: StreamSink, bytes: string | Buffer, options: EventStreamOptions): Promise<void> {
  if (sink.write(bytes)) return;
  const { clock, stallMs, signal } = options;
  const drained = new AbortController();
  const go = (): void => drained.abort();
  sink.once('drain', go);
  // Listened to and left again: what is joined of two signals stays with the one that lives as long as the reader.
  signal.addEventListener('abort', go, { once: true });
  if (signal.aborted) go();
  await sleep(clock, stallMs, drained.signal);
  signal.removeEventListener('abort', go);
  if (!drained.signal.aborted) throw new StalledReaderError(stallMs);
}
