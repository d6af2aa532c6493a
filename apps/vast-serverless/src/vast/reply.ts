import type { ErrorClass } from '@davit/contracts';
import type { HttpOutcome } from '@davit/ports';
import { type ProviderCall, redact } from '@davit/provider-kit';
import { z } from 'zod';

/** What one call came to. `refused` says that nothing happened; `unknown` says nothing at all. */
export type Reply<Value> =
  | { readonly kind: 'confirmed'; readonly value: Value }
  | { readonly kind: 'refused'; readonly class: ErrorClass; readonly status: number; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

export type RawReply = Reply<unknown> | { readonly kind: 'throttled'; readonly waitMs: number | null };

/** The only fields of an error body that are read; the rest may hold anything. */
const errorBody = z.object({
  success: z.boolean().optional(),
  error: z.string().optional(),
  msg: z.string().optional(),
  message: z.string().optional(),
  detail: z.string().optional(),
  error_msg: z.string().optional(),
  retry_after: z.number().optional(),
});
type ErrorBody = z.infer<typeof errorBody>;

const TOO_FREQUENT = /too frequent|rate_limit|TooManyRequests/i;

/**
 * Judges an answer by status, then type, then `success`, then `error_msg`: 200 may mean failure, and 404 may mean a wrong
 * key.
 */
export function judge(outcome: HttpOutcome): RawReply {
  if (outcome.kind === 'failure') return { kind: 'unknown', detail: `no answer: ${outcome.reason}` };
  const { status, body, headers } = outcome;
  const json = parseJson(body);
  const parsed = errorBody.safeParse(json);
  const error: ErrorBody = parsed.success ? parsed.data : {};
  const text = error.msg ?? error.message ?? error.detail ?? error.error_msg ?? (json === undefined ? body : '');
  if (status === 429 || (status === 403 && TOO_FREQUENT.test(`${error.error ?? ''} ${text}`))) {
    return { kind: 'throttled', waitMs: waitOf(headers['retry-after'], error, text) };
  }
  const detail = redact([`HTTP ${status}`, error.error, text].filter(Boolean).join(': '), [], 300);
  if (status >= 200 && status < 300) return success(json, error, status, detail);
  const errorClass = classOf(status, error, text);
  return errorClass === undefined
    ? { kind: 'unknown', detail }
    : { kind: 'refused', class: errorClass, status, detail };
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

function success(json: unknown, error: ErrorBody, status: number, detail: string): RawReply {
  if (json === undefined) return { kind: 'unknown', detail: `HTTP ${status}, but not JSON` };
  // The run host answers 200 with a bare text when a key or an id is wrong, without saying which.
  if (typeof json === 'string') return { kind: 'unknown', detail: redact(json, [], 300) };
  if (error.success === false) return { kind: 'refused', class: 'unknown', status, detail };
  if (error.error_msg !== undefined) return { kind: 'unknown', detail };
  return { kind: 'confirmed', value: json };
}

function classOf(status: number, { error }: ErrorBody, text: string): ErrorClass | undefined {
  switch (status) {
    case 400:
      return 'config';
    case 401:
      return 'auth';
    case 402:
      return 'quota';
    case 403:
      return /insufficient_credit|credit|spend/i.test(`${error ?? ''} ${text}`) ? 'quota' : 'auth';
    case 404:
      // An unknown key answers 404 on some routes.
      return error === 'auth_error' ? 'auth' : 'not-found';
    case 410:
      return 'capacity';
    case 405:
    case 422:
      return 'config';
    default:
      return undefined;
  }
}

/** Time to wait as the service states it, in any of the forms it has used. */
function waitOf(retryAfter: string | undefined, error: ErrorBody, text: string): number | null {
  const threshold = /threshold=(\d+(?:\.\d+)?)/.exec(text)?.[1];
  const seconds = [retryAfter, error.retry_after, threshold]
    .map((value) => (value === undefined || value === '' ? NaN : Number(value)))
    .find((value) => Number.isFinite(value) && value >= 0);
  return seconds === undefined ? null : seconds * 1_000;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
