import type { EventType, RecordedEvent } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';

const PAGE = 1_000;
/** So many pages of one stream are looked through for one answer. */
const MAX_PAGES = 20;

export interface Part {
  readonly events: readonly RecordedEvent[];
  /** What was too long to be read whole; empty otherwise. */
  readonly cut: readonly string[];
}

/** Reads what is wanted of one stream, page by page, and no further than what one answer may cost. */
export async function readPart(
  log: Pick<EventLog, 'readStream'>,
  stream: string,
  want: { readonly without?: readonly EventType[]; readonly keep?: (event: RecordedEvent) => boolean } = {},
): Promise<Part> {
  const { without = [], keep = () => true } = want;
  const events: RecordedEvent[] = [];
  let version = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await log.readStream(stream, version, { limit: PAGE, without });
    events.push(...page.filter(keep));
    if (page.length < PAGE) return { events, cut: [] };
    version = page.at(-1)?.version ?? version;
  }
  return { events, cut: [`${stream} is longer than the ${MAX_PAGES * PAGE} events that were read of it.`] };
}

export const parts = (read: readonly Part[]): Part => ({
  events: read.flatMap(({ events }) => events),
  cut: read.flatMap(({ cut }) => cut),
});
