import { type EventType, type RecordedEvent, stream } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';

const PAGE = 1_000;
/** Of one stream so many events are kept for one answer, and so many looked through: many write to one stream about different things. */
const MOST_KEPT = 20_000;
const MOST_READ = 200_000;
/** Intents that are told in one answer, the latest, and how many are asked for at a time. */
const MOST_INTENTS = 2_000;
const AT_A_TIME = 100;

type Log = Pick<EventLog, 'readStream'>;

export interface Part {
  readonly events: readonly RecordedEvent[];
  /** What an answer leaves out on purpose; empty otherwise. */
  readonly cut: readonly string[];
  /** What was not read to its end, so that nobody can say what else it holds; empty otherwise. */
  readonly unread: readonly string[];
}

export const NOTHING: Part = { events: [], cut: [], unread: [] };

/** Reads what is wanted of one stream, page by page, and no further than what one answer may cost. */
export async function readPart(
  log: Log,
  name: string,
  want: { readonly without?: readonly EventType[]; readonly keep?: (event: RecordedEvent) => boolean } = {},
): Promise<Part> {
  const { without = [], keep = () => true } = want;
  const events: RecordedEvent[] = [];
  let version = 0;
  let read = 0;
  while (events.length < MOST_KEPT && read < MOST_READ) {
    const page = await log.readStream(name, version, { limit: PAGE, without });
    for (const event of page) if (keep(event)) events.push(event);
    if (page.length < PAGE) return { ...NOTHING, events };
    read += page.length;
    version = page.at(-1)?.version ?? version;
  }
  const isWhole = (await log.readStream(name, version, { limit: 1, without })).length === 0;
  const unread = `Of ${name} no more than ${read} events were read, up to version ${version}.`;
  return { ...NOTHING, events, unread: isWhole ? [] : [unread] };
}

/** The intents that events name. */
export async function readIntents(log: Log, wishes: readonly RecordedEvent[]): Promise<Part> {
  const ids = [...new Set(wishes.flatMap((event) => ('intentId' in event.data ? [event.data.intentId] : [])))];
  const told = ids.slice(-MOST_INTENTS);
  const read: Part[] = [];
  for (let first = 0; first < told.length; first += AT_A_TIME) {
    const some = told.slice(first, first + AT_A_TIME);
    read.push(...(await Promise.all(some.map((id) => readPart(log, stream.intent(id))))));
  }
  return parts([...read, cutTo(told, ids, 'intents')]);
}

/** Says what was left out of a list of which only the latest were read. */
export const cutTo = (told: readonly unknown[], all: readonly unknown[], things: string): Part => ({
  ...NOTHING,
  cut: told.length < all.length ? [`Only the latest ${told.length} of ${all.length} ${things} are told.`] : [],
});

export const parts = (read: readonly Part[]): Part => ({
  events: read.flatMap(({ events }) => events),
  cut: read.flatMap(({ cut }) => cut),
  unread: read.flatMap(({ unread }) => unread),
});
