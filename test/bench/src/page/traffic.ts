import type { EventLog, StreamWrite } from '@davit/event-log';
import { verdict } from '../routes/fleet.js';

export interface TrafficOptions {
  readonly log: EventLog;
  /** Names of deployments. */
  readonly names: readonly string[];
  /** Replicas of each. */
  readonly replicas: number;
  readonly perSecond: number;
}

const EVERY_MS = 100;

/** Replicas of a fleet that become ill and well again, one after the other, at a rate. */
export class Traffic {
  private written = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private startedMs = 0;
  private last: Promise<number> = Promise.resolve(0);

  constructor(private readonly options: TrafficOptions) {}

  start(): void {
    this.startedMs = performance.now();
    this.written = 0;
    this.timer = setInterval(() => this.step(), EVERY_MS);
  }

  /** @returns events a second that were really written, and the position of the last */
  async stop(): Promise<{ readonly rate: number; readonly position: number }> {
    clearInterval(this.timer);
    const position = await this.last;
    return { rate: this.written / ((performance.now() - this.startedMs) / 1_000), position };
  }

  private step(): void {
    const { log, perSecond } = this.options;
    const [first, ...rest] = Array.from({ length: Math.round((perSecond * EVERY_MS) / 1_000) }, (_, index) =>
      this.next(this.written + index),
    );
    if (!first) return;
    this.written += rest.length + 1;
    // One append after the other: what cannot be written in time is written later, and the rate says so.
    this.last = this.last.then(async (before) => {
      const result = await log.append([first, ...rest], { tenant: 'default', service: 'bench' });
      return result.outcome === 'appended' ? (result.events.at(-1)?.position ?? before) : before;
    });
  }

  private next(turn: number): StreamWrite {
    const { names, replicas } = this.options;
    const count = names.length * replicas;
    const which = (turn * 37) % count;
    const name = names[which % names.length] ?? '';
    return verdict(name, Math.floor(which / names.length), Math.floor(turn / count) % 2 === 1);
  }
}
