import type { RecordedEvent } from '@davit/contracts';
import type { EventTail } from './event-tail.js';

/** One reader's place in the log, for who asks for events when it is ready for them. */
export class EventReader {
  private leave: () => void = () => undefined;

  constructor(
    private readonly tail: Pick<EventTail, 'after' | 'onWake'>,
    private position: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.leave(), { once: true });
  }

  /** Where it is: all events up to here were given. */
  get at(): number {
    return this.position;
  }

  /** What follows, in order and without gaps. Empty when nothing came for about the time of a poll, or the reader was ended. */
  async next(): Promise<readonly RecordedEvent[]> {
    // Listens before it looks, so that what comes in between is not slept through.
    const changed = new Promise<void>((resolve) => {
      const forget = this.tail.onWake(resolve);
      this.leave = () => {
        forget();
        resolve();
      };
    });
    let page = await this.tail.after(this.position);
    if (page.isEmpty && !this.signal.aborted) {
      await changed;
      page = await this.tail.after(this.position);
    }
    this.leave();
    if (isEnded(this.signal)) return [];
    this.position = page.last ?? this.position;
    return page.entries.map(({ event }) => event);
  }
}

const isEnded = ({ aborted }: AbortSignal): boolean => aborted;
