import { Histogram } from './metrics/histogram.js';

const PARTS = ['weights', 'kv_cache'] as const;
const OPERATION_SECONDS = [0.01, 0.1, 1, 10, 30, 60, 120, 300, 600];

/** What of an engine was put away over HTTP, and how deep. */
export class Sleep {
  private away = new Set<string>();
  private depth: 1 | 2 = 1;
  /** How long each took, in seconds: none takes time here. */
  readonly operations = { sleep: new Histogram(OPERATION_SECONDS), wake: new Histogram(OPERATION_SECONDS) };

  /** 0 is awake; at 1 weights wait in memory, at 2 they are discarded. */
  get level(): 0 | 1 | 2 {
    return this.away.size === 0 ? 0 : this.depth;
  }

  sleep(level: 1 | 2): void {
    this.operations.sleep.observe(0);
    this.depth = level;
    this.away = new Set(PARTS);
  }

  /** Brings these parts back; none named means all. */
  wake(tags: readonly string[]): void {
    this.operations.wake.observe(0);
    for (const part of tags.length === 0 ? PARTS : tags) this.away.delete(part);
  }
}
