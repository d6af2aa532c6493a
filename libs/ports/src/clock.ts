/** Cancels a scheduled callback. Cancelling twice, or after it ran, does nothing. */
export type Cancel = () => void;

/** The only source of time. Every wait in the system goes through it, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Milliseconds since some fixed instant. It only grows, whatever is done to the host's clock: for elapsed times. */
  monotonicMs(): number;
  /** Runs `callback` once after `delayMs`; never synchronously. */
  schedule(delayMs: number, callback: () => void): Cancel;
}

/** A Node timer that is asked for a longer wait fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.timeOrigin + performance.now(),
  schedule(delayMs, callback) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      if (leftMs <= LONGEST_TIMER_MS) timer = setTimeout(callback, leftMs);
      else timer = setTimeout(() => wait(leftMs - LONGEST_TIMER_MS), LONGEST_TIMER_MS);
    };
    wait(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or at once when `signal` aborts. It never rejects. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.schedule(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** RFC 3339 UTC text of an instant in milliseconds. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
