import { z } from 'zod';
import { type Timed, placeOf } from '../capacity/log-times.js';
import { badRequest } from '../operations/bad-request.js';
import type { ViewedLog } from './asking.js';

/** A position of the log, and the time that an answer as of there is given at. */
export interface Instant {
  readonly position: number;
  readonly nowMs: number;
}

const POSITION = /^\d{1,15}$/;
const rfc3339 = z.iso.datetime({ offset: true });
const FORMS = 'Write a position, 4711, or a time, 2026-09-01T16:00:00Z.';
/** Times of events that are remembered: those that every search asks for are among them. */
const TIMES_KEPT = 20_000;

/** Finds the moments that people name, by position or by time. Events are never rewritten, so that their times can be remembered. */
export class Instants {
  private readonly times = new Map<number, readonly Timed[]>();

  constructor(private readonly log: Pick<ViewedLog, 'read' | 'head'>) {}

  /**
   * @param field of the request that names it, for example `?at`
   * @throws ProblemError 400 where it is no moment of this log
   */
  async of(text: string, field: string, nowMs: number): Promise<Instant> {
    const instant = await this.beginning(text, field, nowMs);
    if (instant.position > 0) return instant;
    const [first] = await this.one(0);
    const from = POSITION.test(text)
      ? `position from 1 to ${await this.log.head()}`
      : `time from ${first?.time ?? ''} on`;
    const remedy = first ? `Write a ${from}.` : 'Nothing has happened yet: the log is empty.';
    throw badRequest([{ path: field, message: `${text} lies before the first event`, remedy }]);
  }

  /** The same where a span may begin: before the first event there was nothing, which is position 0. */
  async beginning(text: string, field: string, nowMs: number): Promise<Instant> {
    const wrong = (message: string, remedy: string) => badRequest([{ path: field, message, remedy }]);
    const head = await this.log.head();
    if (POSITION.test(text)) {
      const position = Number(text);
      if (position > head)
        throw wrong(`${position} lies beyond the end of the log (${head})`, `Write a position from 1 to ${head}.`);
      // Nothing lasted until the first event.
      const [event] = await this.one(Math.max(0, position - 1));
      return { position, nowMs: event ? Date.parse(event.time) : nowMs };
    }
    const ms = rfc3339.safeParse(text).success ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(ms)) throw wrong(`${JSON.stringify(text.slice(0, 60))} is neither a position nor a time`, FORMS);
    if (ms > nowMs) throw wrong(`${text} lies in the future`, `Write a time up to ${new Date(nowMs).toISOString()}.`);
    const log = { read: (after: number) => this.one(after, head) };
    const { position: next } = await placeOf(log, ms + 1, atLeast(head));
    return { position: next - 1, nowMs: ms };
  }

  private async one(after: number, head = Number.MAX_SAFE_INTEGER): Promise<readonly Timed[]> {
    if (after >= head) return [];
    const known = this.times.get(after);
    if (known) return known;
    const read = (await this.log.read(after, 1)).map(({ position, time }) => ({ position, time }));
    if (read.length > 0) this.times.set(after, read);
    const [oldest] = this.times.keys();
    if (this.times.size > TIMES_KEPT && oldest !== undefined) this.times.delete(oldest);
    return read;
  }
}

/** An end that stays the same while the log grows a little, so that a search halves it at the same places as the last. */
const atLeast = (head: number): number => 2 ** Math.ceil(Math.log2(head + 2)) - 1;
