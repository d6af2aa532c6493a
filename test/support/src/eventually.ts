import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Default 10 000. */
  readonly timeoutMs?: number;
  /** Pause between looks; default 20. */
  readonly everyMs?: number;
}

/**
 * Waits until `check` neither throws nor returns `false` or `undefined`, and resolves to what it returned.
 * Rejects with the last error of `check`, so that a failed expectation inside it reads as usual.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = 20 }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let lastError: unknown = new Error(`the condition did not come true within ${timeoutMs} ms`);
    try {
      const value = await check();
      if (value !== false && value !== undefined) return value as Exclude<T, false | undefined>;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= deadline) throw lastError;
    await delay(everyMs);
  }
}
