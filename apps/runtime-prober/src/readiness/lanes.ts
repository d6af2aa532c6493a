import type { Clock } from '@davit/ports';

/** Places at work, and those who wait for one, first come first served. */
class Places {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async take(): Promise<void> {
    if (this.taken < this.most) {
      this.taken += 1;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
  /** Hands the place to whoever has waited longest. */
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.taken -= 1;
  }
}

export type LaneSettings = {
  readonly concurrency: number;
  readonly slowConcurrency: number;
  readonly slowMs: number;
};

/**
 * Two lanes of places, so that slow servers never stand before quick ones: who was slow last time waits among its like, and who
 * turns out slow in a quick place gives it up and goes on without one.
 */
export class Lanes {
  private readonly quick: Places;
  private readonly slow: Places;

  constructor(
    private readonly clock: Clock,
    private readonly settings: LaneSettings,
  ) {
    this.quick = new Places(settings.concurrency);
    this.slow = new Places(settings.slowConcurrency);
  }

  /** @param wasSlow whether the work for this key was slow last time */
  async run<Result>(wasSlow: boolean, work: () => Promise<Result>): Promise<Result> {
    const places = wasSlow ? this.slow : this.quick;
    await places.take();
    let isHeld = true;
    const leave = (): void => {
      if (isHeld) places.leave();
      isHeld = false;
    };
    const cancel = wasSlow ? undefined : this.clock.schedule(this.settings.slowMs, leave);
    try {
      return await work();
    } finally {
      cancel?.();
      leave();
    }
  }
}
