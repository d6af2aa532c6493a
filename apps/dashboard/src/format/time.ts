const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

/** `12 s`, `3 m 20 s`, `2 h 05 m`, `4 d 3 h`: as long as it needs to be, never more than two units. */
export function durationText(ms: number): string {
  const abs = Math.max(0, ms);
  if (abs < SECOND) return `${Math.round(abs)} ms`;
  const seconds = Math.floor(abs / SECOND);
  if (abs < MINUTE) return `${seconds} s`;
  if (abs < 10 * MINUTE) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  if (abs < HOUR) return `${Math.floor(abs / MINUTE)} m`;
  if (abs < DAY) return `${Math.floor(abs / HOUR)} h ${two(Math.floor((abs % HOUR) / MINUTE))} m`;
  return `${Math.floor(abs / DAY)} d ${Math.floor((abs % DAY) / HOUR)} h`;
}

/** `12 s ago`, `in 3 m 20 s`, `now`. */
export function relativeText(atMs: number, nowMs: number): string {
  const ms = nowMs - atMs;
  if (Math.abs(ms) < SECOND) return 'now';
  return ms > 0 ? `${durationText(ms)} ago` : `in ${durationText(-ms)}`;
}

/** `2026-11-30 16:38:04.120`, in the time of the reader. */
export function exactText(atMs: number): string {
  const at = new Date(atMs);
  return `${dayText(at)} ${clockText(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

export const dayText = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
export const clockText = (at: Date): string => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

/** For the axis of a chart over a span: the clock within a day, else the day too. */
export function axisText(atMs: number, spanMs: number): string {
  const at = new Date(atMs);
  const minutes = clockText(at).slice(0, 5);
  if (spanMs <= 10 * MINUTE) return clockText(at);
  return spanMs <= 2 * DAY ? minutes : `${dayText(at).slice(5)} ${minutes}`;
}
