import type { UnreadyReason } from '@davit/contracts';
import type { ProbeResult } from '@davit/domain';
import type { HttpFailure, HttpOutcome } from '@davit/ports';

export type Unready = Extract<ProbeResult, { readonly outcome: 'unready' }>;

const MAX_DETAIL = 500;

export const unready = (reason: UnreadyReason, detail: string): Unready => ({
  outcome: 'unready',
  reason,
  detail: printable(detail, MAX_DETAIL),
});

/** Text of an outside server, made safe to store: no control characters, no half characters, bounded. */
export const printable = (text: string, length: number): string =>
  text
    .slice(0, length)
    .replace(/[\p{Cc}\p{Surrogate}]+/gu, ' ')
    .trim();

const REASON_OF_FAILURE: Readonly<Record<HttpFailure, UnreadyReason>> = {
  refused: 'refused',
  timeout: 'timeout',
  reset: 'other',
  dns: 'other',
  tls: 'other',
  'too-large': 'not-a-model-server',
  other: 'other',
};

const LOADING = /loading|starting|warming|scaling/i;

/** What an exchange says against readiness, whichever path it was for; undefined for a success. */
export function objection(outcome: HttpOutcome, path: string): Unready | undefined {
  if (outcome.kind === 'failure') return unready(REASON_OF_FAILURE[outcome.reason], `${path}: ${outcome.detail}`);
  const { status, body } = outcome;
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403)
    return unready('unauthorised', `${path}: the worker API key was rejected (${status})`);
  if (status === 503 && LOADING.test(body)) return unready('loading', `${path}: still loading (503)`);
  if (status >= 500) return unready('unhealthy', `${path}: answered ${status}`);
  // A redirect is not followed: where it leads is not the replica.
  return unready('not-a-model-server', `${path}: answered ${status}`);
}
