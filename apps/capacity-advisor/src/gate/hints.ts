import type { HttpOutcome } from '@davit/ports';

/** A provider may not silence the advisor for longer than this. */
const LONGEST_REST_MS = 60 * 60_000;

const bounded = (ms: number): number => Math.min(LONGEST_REST_MS, Math.max(0, ms));

/** `Retry-After`, in seconds or as a date. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : bounded(ms);
}

/**
 * How long a provider wants quiet after a 429, from what it says, in the order of how plainly it says it: `Retry-After`,
 * `retry_after` in the body, `RateLimit` headers with nothing left, a threshold in words. Undefined when it does not say.
 */
export function quietMs(outcome: HttpOutcome, nowMs: number): number | undefined {
  if (outcome.kind === 'failure') return undefined;
  const { headers, body } = outcome;
  const inBody = /"retry_after"\s*:\s*(\d{1,6}(?:\.\d+)?)/.exec(body)?.[1];
  const threshold = /threshold=(\d{1,6}(?:\.\d+)?)/.exec(body)?.[1];
  return (
    retryAfterMs(headers['retry-after'], nowMs) ??
    (inBody === undefined ? undefined : bounded(Number(inBody) * 1_000)) ??
    exhaustedMs(headers) ??
    (threshold === undefined ? undefined : bounded(Number(threshold) * 1_000))
  );
}

export type Quota = { readonly left: number; readonly resetMs: number };

/** What RunPod's `RateLimit: "minute";r=0;t=12, "hour";r=2800;t=1812` says of each window; of others, nothing. */
export const quotasOf = (headers: Readonly<Record<string, string>>): readonly Quota[] =>
  [...(headers['ratelimit'] ?? '').matchAll(/"[\w-]{1,20}";r=(\d{1,9});t=(\d{1,9})/g)].map(([, left, reset]) => ({
    left: Number(left),
    resetMs: bounded(Number(reset) * 1_000),
  }));

/** When every window that is used up has begun anew; undefined when none is. */
export function exhaustedMs(headers: Readonly<Record<string, string>>): number | undefined {
  const used = quotasOf(headers).filter(({ left }) => left === 0);
  return used.length === 0 ? undefined : Math.max(...used.map(({ resetMs }) => resetMs));
}
