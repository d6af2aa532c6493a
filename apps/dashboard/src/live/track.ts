import type { RecordedEvent } from '@davit/contracts';
import type { Frame } from '../api/sse.js';

const CHECKPOINT = 'davit.stream.checkpoint';

export interface Heard {
  readonly events: readonly RecordedEvent[];
  /** Something between what was heard before and this did not arrive. */
  readonly gap: boolean;
}

/**
 * Keeps count of what a stream brings. Positions of a whole stream have no holes; one that leaves out what others own tells how
 * many events it sent up to where, and is held to that.
 */
export class Track {
  position = 0;
  private delivered = 0;
  private partial = false;

  begin(position: number): void {
    this.position = position;
    this.delivered = 0;
    this.partial = false;
  }

  hear(frames: readonly Frame[]): Heard {
    const events: RecordedEvent[] = [];
    let gap = false;
    for (const frame of frames) {
      if (frame.comment !== null) this.position = Math.max(this.position, aheadIn(frame.comment));
      else if (frame.event === CHECKPOINT) gap = this.check(frame.data) || gap;
      else {
        // Frames of this stream are events as the log holds them.
        const event = JSON.parse(frame.data) as RecordedEvent;
        if (event.position <= this.position) continue;
        if (!this.partial && event.position !== this.position + 1) gap = true;
        this.position = event.position;
        this.delivered += 1;
        events.push(event);
      }
    }
    return { events, gap };
  }

  private check(data: string): boolean {
    const { position, delivered } = JSON.parse(data) as { readonly position: number; readonly delivered: number };
    const short = this.partial && delivered !== this.delivered;
    this.partial = true;
    this.position = Math.max(this.position, position);
    this.delivered = 0;
    return short;
  }
}

/** `at 1234`: so far the other side has looked. */
const aheadIn = (comment: string): number => Number(/^at (\d+)$/.exec(comment)?.[1] ?? 0);
