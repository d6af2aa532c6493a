import type { RecordedEvent } from '@davit/contracts';
import type { EventTail } from './event-tail.js';

/** Where a stream of server-sent events is written to; a `ServerResponse` is one. */
export interface StreamSink {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

export interface EventStreamOptions {
  readonly tail: EventTail;
  readonly after: number;
  readonly category: string | undefined;
  readonly heartbeatMs: number;
  /** Ends the stream: the reader left, or the service stops. */
  readonly signal: AbortSignal;
}

/**
 * Writes events from a position on, for as long as the reader stays. The next page is taken only when the last one has
 * left, so a slow reader costs one page of memory and falls behind instead.
 */
export async function streamEvents(sink: StreamSink, options: EventStreamOptions): Promise<void> {
  const { tail, category, heartbeatMs, signal } = options;
  let { after } = options;
  const ended = (): boolean => signal.aborted;
  await send(sink, 'retry: 1000\n\n', signal);
  while (!ended()) {
    const page = await tail.read(after, heartbeatMs, signal);
    if (ended()) return;
    const last = page.at(-1);
    const shown = category === undefined ? page : page.filter(({ type }) => categoryOf(type) === category);
    // A line that starts with a colon is a comment: it keeps the connection open and shows how far the reader is.
    const text = shown.length > 0 ? shown.map(frame).join('') : `: at ${last?.position ?? after}\n\n`;
    if (shown.length > 0 || !last) await send(sink, text, signal);
    after = last?.position ?? after;
  }
}

export const categoryOf = (type: string): string => type.split('.')[1] ?? '';

const frame = (event: RecordedEvent): string =>
  `id: ${event.position}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

function send(sink: StreamSink, text: string, signal: AbortSignal): Promise<void> {
  if (sink.write(text)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    sink.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}
