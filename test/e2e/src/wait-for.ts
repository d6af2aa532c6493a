import { setTimeout as delay } from 'node:timers/promises';

/**
 * Looks until `look` returns something.
 * @throws Error that names what was waited for, once `timeoutMs` has passed
 */
export async function waitFor<Value>(
  what: string,
  look: () => Promise<Value | undefined>,
  { timeoutMs, everyMs }: { readonly timeoutMs: number; readonly everyMs: number },
): Promise<Value> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    if (Date.now() >= deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`);
    await delay(everyMs);
  }
}
