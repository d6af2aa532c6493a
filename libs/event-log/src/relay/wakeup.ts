import { type Clock } from '@davit/ports';

/** A wait that ends early when notified; a notice that comes while nobody waits ends the next wait at once. */
export class Wakeup {
  private noticed = false;
  private wake: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  notify(): void {
    this.noticed = true;
    this.wake();
  }

  async wait(ms: number): Promise<void> {
    if (!this.noticed) {
      await new Promise<void>((resolve) => {
        const cancel = this.clock.schedule(ms, resolve);
        this.wake = () => {
          cancel();
          resolve();
        };
      });
    }
    this.noticed = false;
  }
}
