/** How a message stands to those before it. */
export type Step = 'next' | 'duplicate' | 'gap';

/**
 * Sees what a broker delivers twice or leaves out. Positions alone cannot show a gap where only some types are followed, but each
 * consumer numbers its deliveries without one.
 */
export class Cursor {
  private delivered = 0;

  /** @param position of the last event that was handled; 0 for none */
  constructor(private last: number) {}

  /** Position of the last event that was handled. */
  get position(): number {
    return this.last;
  }

  /** A new consumer begins to number its deliveries anew. */
  restart(): void {
    this.delivered = 0;
  }

  /**
   * @param position of the event in the log
   * @param delivery number of the delivery by this consumer, from 1 on
   */
  take(position: number, delivery: number): Step {
    if (delivery !== this.delivered + 1 && delivery > this.delivered) return 'gap';
    this.delivered = Math.max(this.delivered, delivery);
    if (position <= this.last) return 'duplicate';
    this.last = position;
    return 'next';
  }
}
