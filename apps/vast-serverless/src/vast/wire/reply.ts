import type { ErrorClass } from '@davit/contracts';
import { parseDecimalJson } from '@davit/domain';
import type { HttpOutcome } from '@davit/ports';
import type { ProviderCall } from '@davit/provider-kit';
import { z } from 'zod';
import { clean } from './clean.js';
import { judgeRefusal, type RefusalCause } from './refusal.js';

export interface Refusal {
  readonly kind: 'refused';
  readonly class: ErrorClass;
  readonly cause: RefusalCause;
  /** Group of permissions that the answer says is missing. */
  readonly permission: string | null;
  /** HTTP status; 200 where that said that it failed. */
  readonly status: number;
  readonly detail: string;
}

/** What one call came to. `refused` says that nothing happened; `unknown` says nothing at all. */
export type Reply<Value> =
  | { readonly kind: 'confirmed'; readonly value: Value }
  | Refusal
  | { readonly kind: 'unknown'; readonly detail: string };

export type Failure = Exclude<Reply<unknown>, { kind: 'confirmed' }>;

/** The key, or the account, may not do this: to ask again with them is of no use. */
export const isDenied = (reply: Failure): boolean =>
  reply.kind === 'refused' && (reply.class === 'auth' || reply.class === 'quota');

export type RawReply = Reply<unknown> | { readonly kind: 'throttled'; readonly waitMs: number | null };

export interface Reading {
  /** Numbers are read as the text they are written in: for answers that hold money (law 14). */
  readonly decimals?: boolean;
  /** Values that no text of the answer may show. */
  readonly secrets?: readonly string[];
  /** When it arrived, for times that it states as dates. */
  readonly nowMs?: number;
}

/** The only fields of an error body that are read; the rest may hold anything. */
const errorBody = z.object({
  success: z.boolean().optional(),
  error: z.string().optional().catch(undefined),
  msg: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  error_msg: z.string().optional().catch(undefined),
  retry_after: z.coerce.number().optional().catch(undefined),
});
export type ErrorBody = z.infer<typeof errorBody>;

const TOO_FREQUENT = /too frequent|rate_limit|TooManyRequests/i;

/**
 * Judges an answer by status, then type, then `success`, then `error_msg`: 200 may mean failure, and 404 may mean a wrong
 * key.
 */
export function judge(outcome: HttpOutcome, reading: Reading = {}): RawReply {
  if (outcome.kind === 'failure') return { kind: 'unknown', detail: `no answer: ${outcome.reason}` };
  const { status, body, headers } = outcome;
  const json = parseJson(body, reading.decimals === true);
  const parsed = errorBody.safeParse(json);
  const error: ErrorBody = parsed.success ? parsed.data : {};
  const text = error.msg ?? error.message ?? error.detail ?? error.error_msg ?? (json === undefined ? body : '');
  if (status === 429 || (status === 403 && TOO_FREQUENT.test(`${error.error ?? ''} ${text}`))) {
    return { kind: 'throttled', waitMs: waitOf(retryAfterS(headers['retry-after'], reading.nowMs), error, text) };
  }
  const detail = clean([`HTTP ${status}`, error.error, text].filter(Boolean).join(': '), reading.secrets);
  if (status >= 200 && status < 300) return success(json, error, status, detail, reading);
  const refusal = judgeRefusal(status, error.error, text);
  return refusal === undefined ? { kind: 'unknown', detail } : { kind: 'refused', ...refusal, status, detail };
}

/** What is counted of a call. One that came too soon is told as a failure of the moment. */
export function endOf(reply: RawReply): Pick<ProviderCall, 'outcome' | 'class'> {
  switch (reply.kind) {
    case 'confirmed':
      return { outcome: 'answered', class: null };
    case 'refused':
      return { outcome: 'failed', class: reply.class };
    case 'throttled':
      return { outcome: 'failed', class: 'transient' };
    case 'unknown':
      return { outcome: 'lost', class: null };
  }
}

function success(json: unknown, error: ErrorBody, status: number, detail: string, { secrets }: Reading): RawReply {
  if (json === undefined) return { kind: 'unknown', detail: `HTTP ${status}, but not JSON` };
  // The run host answers 200 with a bare text when a key or an id is wrong, without saying which.
  if (typeof json === 'string') return { kind: 'unknown', detail: clean(json, secrets) };
  if (error.success === false) {
    return { kind: 'refused', class: 'unknown', cause: 'declined', permission: null, status, detail };
  }
  if (error.error_msg !== undefined || (error.error !== undefined && error.success !== true)) {
    return { kind: 'unknown', detail };
  }
  return { kind: 'confirmed', value: json };
}

/** Seconds, or a date of HTTP; undefined for anything else, and for a date where nobody says what time it is. */
function retryAfterS(header: string | undefined, nowMs: number | undefined): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds;
  const untilMs = Date.parse(header);
  return nowMs === undefined || Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - nowMs) / 1_000;
}

/** Time to wait as the service states it, in any of the forms it has used. */
function waitOf(retryAfter: number | undefined, error: ErrorBody, text: string): number | null {
  const threshold = /threshold=(\d+(?:\.\d+)?)/.exec(text)?.[1];
  const seconds = [retryAfter, error.retry_after, threshold]
    .map((value) => (value === undefined || value === '' ? NaN : Number(value)))
    .find((value) => Number.isFinite(value) && value >= 0);
  return seconds === undefined ? null : seconds * 1_000;
}

function parseJson(body: string, decimals: boolean): unknown {
  try {
    return decimals ? parseDecimalJson(body) : JSON.parse(body);
  } catch {
    return undefined;
  }
}
