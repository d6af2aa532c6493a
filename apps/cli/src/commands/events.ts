import { CommandError, exitCodes } from '../exit-codes.js';
import { eventLine } from '../output/event-line.js';
import type { Session } from '../session.js';

export interface EventsOptions {
  readonly after: string;
  readonly limit: string;
  readonly category?: string;
  readonly follow?: boolean;
}

const RECONNECT_MS = 1_000;

/** Prints events of the log in order; with `--follow` goes on as they happen, over any number of reconnects. */
export async function events(session: Session, options: EventsOptions): Promise<void> {
  const after = Number(options.after);
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new CommandError(exitCodes.badInput, `error  --after "${options.after}" is not a position; write 0 or more.`);
  }
  const limit = Number(options.limit);
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new CommandError(exitCodes.badInput, `error  --limit "${options.limit}" is not a count; write 1 or more.`);
  }
  const print = (event: unknown): void => session.print(event, () => eventLine(event));
  if (options.follow === true) return follow(session, after, options.category, print);
  await page(session, { after, limit, category: options.category }, print);
}

const PAGE = 1_000;

interface Part {
  readonly after: number;
  readonly limit: number;
  readonly category: string | undefined;
}

/** Prints so many events at most, and tells a person who reads them where they go on. */
async function page(session: Session, part: Part, print: (event: unknown) => void): Promise<void> {
  const { after, limit, category } = part;
  const filter = category === undefined ? {} : { category };
  let printed = 0;
  for (let position = after; ;) {
    const asked = { after: position, limit: Math.min(limit - printed, PAGE), ...filter };
    const { items, next, head } = await session.client.exportPage(asked);
    for (const item of items) print(item);
    printed += items.length;
    const isWhole = next <= position || next >= head;
    if (!isWhole && printed < limit) {
      position = next;
      continue;
    }
    if (printed === 0 && !session.json) session.out.write('no events\n');
    if (!isWhole && session.out.isTTY) session.err.write(`(position ${next} of ${head}; go on with --after ${next})\n`);
    return;
  }
}

async function follow(
  session: Session,
  after: number,
  category: string | undefined,
  print: (event: unknown) => void,
): Promise<void> {
  const stop = new AbortController();
  const stopped = (): boolean => stop.signal.aborted;
  process.once('SIGINT', () => stop.abort());
  let position = after;
  // The first connection must work; a later break is mended without a word lost.
  let body: ReadableStream<Uint8Array> | undefined = await session.client.openStream(position, category, stop.signal);
  while (!stopped()) {
    try {
      for await (const message of serverSentEvents(
        body ?? (await session.client.openStream(position, category, stop.signal)),
      )) {
        // How far a filtered stream has looked is no event.
        if (message.event !== CHECKPOINT) print(JSON.parse(message.data));
        position = Number(message.id ?? position);
      }
    } catch (error) {
      if (!stopped()) session.err.write(`(${error instanceof Error ? error.message : String(error)})\n`);
    }
    body = undefined;
    if (!stopped()) await session.pause(RECONNECT_MS);
  }
}

const CHECKPOINT = 'davit.stream.checkpoint';

interface ServerSentEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

/** Splits a byte stream into server-sent events; comments (heartbeats) are passed over. */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const chunk of body) {
    buffered += decoder.decode(chunk, { stream: true });
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string[] =>
        block
          .split('\n')
          .flatMap((line) => (line.startsWith(`${name}:`) ? [line.slice(name.length + 1).trimStart()] : []));
      const data = field('data');
      if (data.length > 0) yield { id: field('id')[0], event: field('event')[0], data: data.join('\n') };
    }
  }
}
