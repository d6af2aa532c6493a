import { checkpointFrame } from './frames.js';

/** How often a filtered stream tells how far it is while it sends events. */
const CHECKPOINT_MS = 1_000;

/** What a filtered stream says of how far it looked. */
export class Checkpoints {
  private delivered = 0;
  private toldAtMs = -Infinity;

  constructor(private after: number) {}

  /**
   * @param position up to which was looked
   * @param count events that were sent since the last call
   * @returns what is to be said now; undefined when nothing is due
   */
  next(position: number, count: number, nowMs: number, silent: boolean): string | undefined {
    this.delivered += count;
    const due = silent || (this.delivered > 0 && nowMs - this.toldAtMs >= CHECKPOINT_MS);
    if (!due || position === this.after) return undefined;
    const frame = checkpointFrame({ after: this.after, position, delivered: this.delivered });
    this.after = position;
    this.delivered = 0;
    this.toldAtMs = nowMs;
    return frame;
  }
}
