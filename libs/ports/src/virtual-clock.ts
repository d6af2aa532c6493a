import { setImmediate as yieldToPromises } from 'node:timers/promises';
import type { Cancel, Clock } from './clock.js';

interface Alarm {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until told to move. Callbacks due at the same instant run in the order they were scheduled. */
export class VirtualClock implements Clock {
  private readonly alarms = new Set<Alarm>();
  private order = 0;

  constructor(private currentMs = Date.UTC(2026, 0, 1)) {}

  nowMs(): number {
    return this.currentMs;
  }

  schedule(delayMs: number, callback: () => void): Cancel {
    const alarm: Alarm = { dueMs: this.currentMs + Math.max(0, delayMs), order: this.order++, callback };
    this.alarms.add(alarm);
    return () => void this.alarms.delete(alarm);
  }

  /** Moves time forward by `ms`, running what falls due and letting promises settle after each callback. */
  async advance(ms: number): Promise<void> {
    const targetMs = this.currentMs + ms;
    await settle();
    for (let next = this.next(); next && next.dueMs <= targetMs; next = this.next()) await this.fire(next);
    this.currentMs = targetMs;
  }

  /** Runs callbacks in order until `done()` holds; false when `limitMs` of virtual time passed first. */
  async runUntil(done: () => boolean | Promise<boolean>, limitMs: number): Promise<boolean> {
    const endMs = this.currentMs + limitMs;
    await settle();
    while (!(await done())) {
      const next = this.next();
      if (!next || next.dueMs > endMs) return false;
      await this.fire(next);
    }
    return true;
  }

  private async fire(alarm: Alarm): Promise<void> {
    this.alarms.delete(alarm);
    this.currentMs = Math.max(this.currentMs, alarm.dueMs);
    alarm.callback();
    await settle();
  }

  private next(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.alarms) {
      if (!first || alarm.dueMs < first.dueMs || (alarm.dueMs === first.dueMs && alarm.order < first.order))
        first = alarm;
    }
    return first;
  }
}

/** Lets every promise that can settle without the clock or I/O settle. */
const settle = (): Promise<void> => yieldToPromises();
