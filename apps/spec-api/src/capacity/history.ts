import type { CapacityEntry, CapacityHistory, RecordedEvent } from '@davit/contracts';
import type { EventLog } from '@davit/event-log';
import { Entries, withEnds } from './entries.js';
import { placeOf } from './log-times.js';
import type { OfferFilter } from './offer-filter.js';

export interface HistoryQuery {
  readonly wanted: OfferFilter;
  readonly fromMs: number;
  readonly toMs: number;
  /** Goes on after this position; null for the first page. */
  readonly after: number | null;
  readonly limit: number;
}

/** So far back a page looks for signals that still hold where it begins. */
export const LOOK_BACK_MS = 10 * 60_000;
const PAGE = 1_000;
/** Pages of the log read for one answer at most, and for looking back. */
const MAX_PAGES = 20;
const MAX_PAGES_BACK = 5;

/** What the log says of offers within a window: read page by page from where the window begins, never whole. */
export async function readHistory(log: Pick<EventLog, 'read' | 'head'>, query: HistoryQuery): Promise<CapacityHistory> {
  const head = await log.head();
  const begin = await placeOf(log, query.fromMs, head);
  const first = query.after === null ? begin.position : Math.max(begin.position, query.after + 1);
  const pass = new Pass(query, begin.ordered);
  await pass.lookBack(log, first, head);
  await pass.goOn(log, first, head);
  return pass.answer(head);
}

class Pass {
  private readonly entries: CapacityEntry[] = [];
  private readonly notes: string[] = [];
  private upTo = 0;
  private read = 0;
  private ended = false;
  private lastMs = 0;
  /** Begins anew where the page's past does. */
  private source = new Entries(() => false, 0);

  constructor(
    private readonly query: HistoryQuery,
    ordered: boolean,
  ) {
    if (!ordered) this.notes.push('The clock of the log was set back somewhere: a window may have several parts.');
  }

  /** Finds out what is known where the page begins. */
  async lookBack(log: Pick<EventLog, 'read'>, first: number, head: number): Promise<void> {
    this.upTo = first - 1;
    const [event] = await log.read(first - 1, 1);
    const beginMs = event ? Math.max(this.query.fromMs, Date.parse(event.time)) : this.query.fromMs;
    const sinceMs = beginMs - LOOK_BACK_MS;
    const earliest = first - 1 - MAX_PAGES_BACK * PAGE;
    let position = Math.max((await placeOf(log, sinceMs, Math.min(head, first - 1))).position - 1, earliest, 0);
    const [oldest] = await log.read(position, 1);
    // Where the log begins later than that, or is too long to be read so far back, nothing earlier is known here.
    const knownFromMs = oldest && oldest.position < first ? Math.max(sinceMs, Date.parse(oldest.time)) : sinceMs;
    this.source = new Entries(this.query.wanted, position === 0 ? sinceMs : knownFromMs);
    while (position < first - 1) {
      const page = await log.read(position, Math.min(PAGE, first - 1 - position));
      for (const earlier of page) this.source.see(earlier);
      const last = page.at(-1);
      if (!last) break;
      position = last.position;
    }
    this.source.ranOut(beginMs);
  }

  async goOn(log: Pick<EventLog, 'read'>, first: number, head: number): Promise<void> {
    for (let pages = 0; pages < MAX_PAGES && !this.ended; pages++) {
      const page = await log.read(this.upTo, Math.min(PAGE, Math.max(0, head - this.upTo)));
      if (page.length === 0) this.ended = true;
      for (const event of page) if (!this.take(event, first)) return;
    }
  }

  /** False when the page is full, or the window ends. */
  private take(event: RecordedEvent, first: number): boolean {
    const ms = Date.parse(event.time);
    if (this.entries.length >= this.query.limit) return false;
    if (ms > this.query.toMs) {
      this.ended = true;
      return false;
    }
    if (ms < this.lastMs && event.position > first)
      this.notes.push(`The clock of the log went back at position ${event.position}; its order is kept.`);
    this.lastMs = ms;
    this.entries.push(...this.source.see(event));
    this.upTo = event.position;
    this.read += 1;
    return true;
  }

  answer(head: number): CapacityHistory {
    const { fromMs, toMs } = this.query;
    if (this.upTo >= head) this.ended = true;
    // What runs out after the last event, and within the window.
    if (this.ended) this.entries.push(...this.source.ranOut(toMs));
    return {
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      items: [...withEnds(this.entries)],
      next: this.ended ? null : this.upTo,
      read: { events: this.read, upTo: this.upTo },
      notes: this.notes.slice(0, 10),
    };
  }
}
