const DAY_MS = 86_400_000;
/** Clocks of services and of the log may differ by less than this: a day counts as over only then. */
const CLOCK_ALLOWANCE_MS = 60_000;

/** `2026-11-30` of an instant, in UTC. */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
export const endOfDay = (day: string): number => startOfDay(day) + DAY_MS;
export const isClosed = (day: string, nowMs: number): boolean => endOfDay(day) + CLOCK_ALLOWANCE_MS <= nowMs;

/** The days from one to another, both inclusive; none when they are the wrong way round. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.max(0, Math.round((startOfDay(to) - startOfDay(from)) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => dayOf(startOfDay(from) + index * DAY_MS));
}

/** The day so many days before. */
export const daysBefore = (day: string, count: number): string => dayOf(startOfDay(day) - count * DAY_MS);
