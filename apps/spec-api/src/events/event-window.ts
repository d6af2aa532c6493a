import type { RecordedEvent } from '@davit/contracts';
import { EMPTY_PAGE, Entry, Page } from './page.js';

/** The last events of the log, without gaps, for readers who are near its end. */
export class EventWindow {
  private readonly entries: Entry[] = [];
  /** Pages that were asked for since the last event came: readers in step are at few places. */
  private readonly pages = new Map<number, Page>();
  /** Those before this one are packed. */
  private unpacked = 0;

  /**
   * @param keep events at least, when there were so many
   * @param end position up to which the end of the log is known
   */
  constructor(
    private readonly keep: number,
    public end: number,
  ) {}

  /** Takes what is new. Repeats are dropped, and after a gap the window begins anew. */
  add(events: readonly RecordedEvent[]): void {
    const { entries, keep } = this;
    for (const event of events) {
      if (event.position <= this.end) continue;
      if (event.position !== this.end + 1) this.forget(entries.length);
      entries.push(new Entry(event));
      this.end = event.position;
    }
    if (entries.length > 2 * keep) this.forget(entries.length - keep);
    this.pages.clear();
  }

  /** What everybody who is in step has had is from here on for those who are not. */
  pack(): void {
    this.pages.clear();
    for (const entry of this.entries.slice(this.unpacked)) entry.pack();
    this.unpacked = this.entries.length;
  }

  private forget(count: number): void {
    this.entries.splice(0, count);
    this.unpacked = Math.max(0, this.unpacked - count);
  }

  /** What follows a position, at most `limit` events; undefined when the window does not reach back that far. */
  after(position: number, limit: number): Page | undefined {
    if (position >= this.end) return EMPTY_PAGE;
    const first = this.entries[0]?.position;
    if (first === undefined || position < first - 1) return undefined;
    const known = this.pages.get(position);
    if (known) return known;
    const start = position - first + 1;
    const page = new Page(this.entries.slice(start, start + limit));
    this.pages.set(position, page);
    return page;
  }
}
