/**
 * Runs so many tasks at once; what comes beyond waits in the order it came. The open loop goes on meanwhile: what waits here
 * was due when it was due.
 */
export class Slots {
  private readonly waiting: (() => Promise<void>)[] = [];
  private running = 0;
  private readonly quiet: (() => void)[] = [];

  constructor(private readonly size: number) {}

  add(task: () => Promise<void>): void {
    if (this.running < this.size) this.begin(task);
    else this.waiting.push(task);
  }

  get inFlight(): number {
    return this.running;
  }

  /** Drops what waits; how many that were. */
  dropWaiting(): number {
    return this.waiting.splice(0).length;
  }

  /** Resolves when nothing runs and nothing waits. */
  idle(): Promise<void> {
    if (this.running === 0) return Promise.resolve();
    return new Promise((resolve) => this.quiet.push(resolve));
  }

  private begin(task: () => Promise<void>): void {
    this.running += 1;
    void task().finally(() => {
      this.running -= 1;
      const next = this.waiting.shift();
      if (next) this.begin(next);
      else if (this.running === 0) for (const tell of this.quiet.splice(0)) tell();
    });
  }
}
