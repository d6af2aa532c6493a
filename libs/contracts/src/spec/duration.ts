import { z } from 'zod';

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(?:\d+(?:ms|s|m|h))+$/;

/** `25m`, `90s`, `1h30m` → milliseconds. */
export const duration = z
  .string()
  .regex(DURATION, { error: 'is not a duration; write a number with a unit, for example "90s", "25m" or "1h30m"' })
  .transform((text) => durationToMs(text));

export function durationToMs(text: string): number {
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+)(ms|s|m|h)/g))
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? NaN);
  return total;
}
