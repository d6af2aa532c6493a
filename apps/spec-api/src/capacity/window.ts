import { instant } from '@davit/contracts';
import { badRequest } from '../operations/bad-request.js';

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY_MS = 86_400_000;
/** More than what any log keeps of signals that anybody asks for at once. */
export const MAX_WINDOW_MS = 366 * DAY_MS;

export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Moments {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The time of the question: `from` and `to`, each an instant, or so long ago (`2h`, `30m`). The last day without either. */
export function windowOf({ from, to }: Moments, nowMs: number): Window {
  const toMs = momentOf('to', to, nowMs) ?? nowMs;
  const fromMs = momentOf('from', from, nowMs) ?? toMs - DAY_MS;
  if (fromMs > toMs) throw wrong('from', 'lies after ?to', 'Write the earlier one first.');
  if (toMs - fromMs > MAX_WINDOW_MS) throw wrong('from', 'is more than 366 days before ?to', 'Ask for less at once.');
  return { fromMs, toMs };
}

function momentOf(name: string, text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return nowMs - Number(ago[1]) * UNITS_MS[ago[2] as keyof typeof UNITS_MS]; // the pattern names these units
  if (instant.safeParse(text).success) return Date.parse(text);
  throw wrong(
    name,
    `${JSON.stringify(text.slice(0, 60))} is not a time`,
    'Write an instant, 2026-09-01T16:00:00Z, or so long ago: 30m, 2h, 7d.',
  );
}

const wrong = (name: string, message: string, remedy: string) => badRequest([{ path: `?${name}`, message, remedy }]);
