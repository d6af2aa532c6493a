import { CommandError, exitCodes } from './exit-codes.js';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const isPosition = (instant: string): boolean => /^\d{1,15}$/.test(instant);

/**
 * An instant as people write it, as the server reads it: a position stays, `16:37` is a time of today in UTC, `2h` is so long ago.
 * @throws CommandError for anything else
 */
export function instantOf(text: string, nowMs: number): string {
  if (isPosition(text)) return text;
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return new Date(nowMs - Number(ago[1]) * (UNIT_MS[ago[2] ?? ''] ?? 0)).toISOString();
  if (text === 'now') return new Date(nowMs).toISOString();
  const time = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text);
  if (time) return `${new Date(nowMs).toISOString().slice(0, 10)}T${time[1]}:${time[2]}:${time[3] ?? '00'}.000Z`;
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new CommandError(
    exitCodes.badInput,
    `error  "${text}" is not an instant; write a position (4711), a time (16:37, 2026-11-30T16:37:00Z), or so long ago (30m, 2h, 7d).`,
  );
}

/**
 * `at 16:37 get replicas` → `--at 16:37 get replicas`: the word before a command and the option are one.
 * @param valued options before a command that take a value
 */
export function withAt(argv: readonly string[], valued: readonly string[]): readonly string[] {
  let index = 0;
  while (argv[index]?.startsWith('-') === true) index += valued.includes(argv[index] ?? '') ? 2 : 1;
  const [word, instant, ...rest] = argv.slice(index);
  if (word !== 'at' || instant === undefined || rest.length === 0) return argv;
  return [...argv.slice(0, index), '--at', instant, ...rest];
}
