import { z } from 'zod';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d{1,9}(?:ms|s|m|h)){1,4}$/;
const LONGEST_MS = 30 * 24 * 3_600_000;

const NOT_A_DURATION = 'is not a duration; write a number with a unit, for example "90s", "25m" or "1h30m"';

/** `25m`, `90s`, `1h30m` → milliseconds; more than zero, at most 30 days. */
export const duration = z
  .string({ error: NOT_A_DURATION })
  .regex(DURATION, { error: NOT_A_DURATION, abort: true })
  .refine((text) => durationToMs(text) > 0, { error: 'is no time at all; write at least "1ms"' })
  .refine((text) => durationToMs(text) <= LONGEST_MS, { error: 'is longer than 30 days; write at most "720h"' })
  .transform((text) => durationToMs(text));

/** As a user would write it, in the largest unit that says it whole: 90000 → `90s`, 600000 → `10m`. */
export function durationText(ms: number): string {
  const [unit, size] = Object.entries(UNIT_MS).findLast(([, each]) => ms % each === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}

export function durationToMs(text: string): number {
  let total = 0;
  for (const [, digits, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g))
    total += Number(digits) * (UNIT_MS[unit ?? ''] ?? NaN);
  return total;
}
