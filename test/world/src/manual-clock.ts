import { setImmediate as letPromisesSettle } from 'node:timers/promises';
import { type WorldClock } from './clock.js';

interface Alarm {
  readonly dueMs: number;
  readonly callback: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements WorldClock {
  private readonly alarms: Alarm[] = [];

  constructor(private currentMs = Date.UTC(2026, 0, 1)) {}

  nowMs(): number {
    return this.currentMs;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const alarm = { dueMs: this.currentMs + Math.max(0, delayMs), callback };
    this.alarms.push(alarm);
    return () => this.remove(alarm);
  }

  /** Moves time on, firing what falls due in order and letting promises settle in between. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.currentMs + ms;
    await letPromisesSettle();
    for (let next = this.earliest(); next && next.dueMs <= untilMs; next = this.earliest()) {
      this.remove(next);
      this.currentMs = Math.max(this.currentMs, next.dueMs);
      next.callback();
      await letPromisesSettle();
    }
    this.currentMs = untilMs;
  }

  /** How many callbacks still wait. */
  get pending(): number {
    return this.alarms.length;
  }

  private earliest(): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.alarms) if (!first || alarm.dueMs < first.dueMs) first = alarm;
    return first;
  }

  private remove(alarm: Alarm): void {
    const index = this.alarms.indexOf(alarm);
    if (index >= 0) this.alarms.splice(index, 1);
  }
}
