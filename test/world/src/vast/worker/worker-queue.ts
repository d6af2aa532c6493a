import { pause, type WorldClock } from '../../clock.js';

/** The work one worker has: it is done in the order it came, at the worker's throughput. */
export class WorkerQueue {
  /** Workload in progress, by entry. */
  private readonly entries = new Map<symbol, number>();
  /** When requests were routed here that have not come yet, by request index. */
  private readonly assigned = new Map<number, number>();
  private busyUntilMs = 0;
  private readonly quiet: (() => void)[] = [];

  constructor(
    private readonly clock: WorldClock,
    private readonly perf: () => number,
  ) {}

  /** Seconds a new request would wait: the work in progress over the throughput. */
  waitSeconds(): number {
    return this.load() / this.perf();
  }

  load(): number {
    let load = 0;
    for (const workload of this.entries.values()) load += workload;
    return load;
  }

  get running(): number {
    return this.entries.size;
  }

  /** A request was told to come here. */
  assign(requestIndex: number): void {
    this.assigned.set(requestIndex, this.clock.nowMs());
  }

  arrived(requestIndex: number): void {
    this.assigned.delete(requestIndex);
  }

  /** Work begins to wait; the result ends it. */
  enter(workload: number): () => void {
    const entry = Symbol(`work of ${workload}`);
    this.entries.set(entry, workload);
    const nowMs = this.clock.nowMs();
    this.busyUntilMs = Math.max(this.busyUntilMs, nowMs) + (workload / this.perf()) * 1_000;
    return () => {
      if (this.entries.delete(entry) && this.entries.size === 0) for (const tell of this.quiet.splice(0)) tell();
    };
  }

  /** Waits until everything that was entered so far is done. */
  turn(signal: AbortSignal | undefined): Promise<void> {
    return pause(this.clock, this.busyUntilMs - this.clock.nowMs(), signal);
  }

  /** Waits until nothing runs and nothing is on its way; what is routed here and does not come is forgotten in time. */
  async drained(assignmentMs: number): Promise<void> {
    for (;;) {
      const nowMs = this.clock.nowMs();
      const dueMs = Math.max(0, ...[...this.assigned.values()].map((atMs) => atMs + assignmentMs - nowMs));
      if (dueMs <= 0 && this.entries.size === 0) return;
      if (this.entries.size > 0) await new Promise<void>((resolve) => this.quiet.push(resolve));
      else await pause(this.clock, dueMs);
    }
  }

  /** The worker restarts: nothing of what it had is left. */
  reset(): void {
    this.entries.clear();
    this.assigned.clear();
    this.busyUntilMs = 0;
    for (const tell of this.quiet.splice(0)) tell();
  }
}
