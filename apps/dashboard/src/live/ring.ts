import type { RecordedEvent } from '@davit/contracts';

export const RING_SIZE = 5_000;

/** The latest events, the oldest first. What came is shown from the next `settle` on; what was handed out never changes. */
export class EventRing {
  private settled: readonly RecordedEvent[] = [];
  private waiting: RecordedEvent[] = [];

  add(events: readonly RecordedEvent[]): void {
    this.waiting.push(...events);
    if (this.waiting.length > 2 * RING_SIZE) this.waiting = this.waiting.slice(-RING_SIZE);
  }
  settle(): void {
    if (this.waiting.length === 0) return;
    this.settled = [...this.settled, ...this.waiting].slice(-RING_SIZE);
    this.waiting = [];
  }
  clear(): void {
    this.settled = [];
    this.waiting = [];
  }
  readonly get = (): readonly RecordedEvent[] => this.settled;
}
