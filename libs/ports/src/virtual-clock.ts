import { AlarmHeap } from './alarm-heap.js';
import type { Cancel, Clock } from './clock.js';
import { inTurns } from './turns.js';

/** A clock that stands still until told to move. Callbacks due at the same instant run in the order they were scheduled. */
export class VirtualClock implements Clock {
  private readonly alarms = new AlarmHeap();
  private order = 0;

  constructor(private currentMs = Date.UTC(2026, 0, 1)) {}

  nowMs(): number {
    return this.currentMs;
  }
  monotonicMs(): number {
    return this.nowMs();
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    const dueMs = this.currentMs + Math.max(0, delayMs);
    const alarm = { dueMs, order: this.order++, callback, cancelled: false };
    this.alarms.push(alarm);
    return () => void (alarm.cancelled = true);
  }

  /** Moves time forward by `ms`, running what falls due and letting promises settle after each callback. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.currentMs + ms;
    await inTurns(() => this.fire(targetMs));
    this.currentMs = targetMs;
  }

  /**
   * Runs callbacks in order until `done()` holds; false when `limitMs` of virtual time passed first.
   * Given `revision`, it asks `done` again only when that has another value than when it asked last.
   */
  async runUntil(done: () => boolean | Promise<boolean>, limitMs: number, revision?: () => number): Promise<boolean> {
    const endMs = this.currentMs + limitMs;
    await inTurns(() => false);
    for (;;) {
      const asked = revision?.();
      if (await done()) return true;
      if (!(await this.moved(endMs, () => revision === undefined || revision() !== asked))) return false;
    }
  }

  /** Runs callbacks, one at least, until `changed`; false when that did not come about by `endMs`. */
  private async moved(endMs: number, changed: () => boolean): Promise<boolean> {
    const state = { fired: false, changed: false };
    await inTurns(() => {
      state.changed = state.fired && changed();
      if (state.changed) return false;
      state.fired = this.fire(endMs);
      return state.fired;
    });
    return state.changed;
  }

  /** Runs the next callback due up to `endMs`; false when there is none. */
  private fire(endMs: number): boolean {
    const alarm = this.alarms.first();
    if (!alarm || alarm.dueMs > endMs) return false;
    this.alarms.pop();
    this.currentMs = Math.max(this.currentMs, alarm.dueMs);
    alarm.callback();
    return true;
  }
}
