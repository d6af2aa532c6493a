import { setImmediate } from 'node:timers';

const LONGEST_BATCH = 64;

/**
 * Calls `step` again and again until it returns false, each time once every promise has settled that can settle without the
 * clock or I/O. Node drains its promises between two immediates, so many are asked for at once: a turn of the whole event
 * loop for each step would cost more than most steps do.
 */
export function inTurns(step: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let over = false;
    const turn = (): void => {
      if (over) return;
      try {
        if (step()) return;
        resolve();
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
      over = true;
    };
    const batch = (size: number): void => {
      for (let count = 1; count < size; count++) setImmediate(turn);
      setImmediate(() => {
        turn();
        if (!over) batch(Math.min(LONGEST_BATCH, 2 * size));
      });
    };
    batch(1);
  });
}
