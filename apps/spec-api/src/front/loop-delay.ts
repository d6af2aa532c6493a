import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '@davit/ports';

const RESOLUTION_MS = 10;
/** Old enough to be steady, young enough to let a service that has caught up work again. */
const SAMPLE_MS = 500;

/** How late the event loop was lately, in milliseconds. */
export class LoopDelay {
  private readonly histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  private lateMs = 0;
  private cancel: () => void = () => undefined;

  constructor(private readonly clock: Pick<Clock, 'schedule'>) {}

  start(): void {
    this.histogram.enable();
    this.sample();
  }
  stop(): void {
    this.cancel();
    this.histogram.disable();
  }
  get ms(): number {
    return this.lateMs;
  }

  private sample(): void {
    const { mean } = this.histogram;
    // The histogram counts the whole time from tick to tick; it has no mean before the first.
    this.lateMs = Number.isNaN(mean) ? 0 : Math.max(0, mean / 1e6 - RESOLUTION_MS);
    this.histogram.reset();
    this.cancel = this.clock.schedule(SAMPLE_MS, () => this.sample());
  }
}
