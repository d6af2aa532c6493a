import type { UnreadyReason } from '@davit/contracts';
import type { UnreadyResult } from '@davit/domain';
import type { HttpFailure, HttpOutcome } from '@davit/ports';
import type { AnswerRule, Engine, ProbePhase } from '../engines/engine.js';

/** What one exchange says against readiness. */
export type Finding = Omit<UnreadyResult, 'outcome' | 'signals'>;

const MAX_DETAIL = 500;

export const finding = (reason: UnreadyReason, detail: string, slow = reason === 'timeout'): Finding => ({
  reason,
  detail: printable(detail, MAX_DETAIL),
  slow,
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

const STARTS = /loading|starting|warming|scaling|initiali[sz]ing/i;

/** What was asked, and of whom. */
export type Asked = {
  readonly engine: Pick<Engine, 'answers'>;
  readonly phase: ProbePhase;
  readonly on: Exclude<AnswerRule['on'], 'any'> | 'models';
  readonly path: string;
};

/** What an exchange says against readiness; undefined for a success. */
export function objection(outcome: HttpOutcome, asked: Asked): Finding | undefined {
  const { path } = asked;
  if (outcome.kind === 'failure') return finding(REASON_OF_FAILURE[outcome.reason], `${path}: ${outcome.detail}`);
  const { status, body, headers } = outcome;
  const rule = asked.engine.answers.find((each) => fits(each, asked, status, body));
  if (rule) return finding(rule.reason, `${path}: ${rule.says} (${status})`);
  if (status >= 200 && status < 300) return isPage(headers) ? placeholder(path) : undefined;
  if (status === 401 || status === 403)
    return finding('unauthorised', `${path}: the worker API key was rejected (${status})`);
  // No engine answers these two: it is a proxy that says what it met behind it.
  if (status === 502) return finding('refused', `${path}: nobody listens behind the proxy (502)`);
  if (status === 504) return finding('timeout', `${path}: no answer came to the proxy in time (504)`);
  if (status === 503 && STARTS.test(body)) return finding('loading', `${path}: still loading (503)`);
  if (status >= 500) return finding('unhealthy', `${path}: answered ${status}`);
  if (status >= 300 && status < 400) return redirect(path, status, headers['location']);
  return finding('not-a-model-server', `${path}: answered ${status}`);
}

const fits = ({ on, statuses, body: text, phase }: AnswerRule, asked: Asked, status: number, body: string): boolean =>
  (on === 'any' || on === asked.on) &&
  statuses.includes(status) &&
  (phase === undefined || phase === asked.phase) &&
  (text === undefined || text.test(body));

const isPage = (headers: Readonly<Record<string, string>>): boolean =>
  /^\s*text\/html\b/i.test(headers['content-type'] ?? '');

const placeholder = (path: string): Finding =>
  finding('not-a-model-server', `${path}: a page of HTML, as a proxy shows it in the place of a server`);

/** It is not followed: where it leads is not the replica, and must not see its key. Only the host is told, a query may hold a secret. */
function redirect(path: string, status: number, location: string | undefined): Finding {
  const host = location !== undefined && URL.canParse(location) ? ` to ${new URL(location).host}` : '';
  return finding('not-a-model-server', `${path}: redirects${host} (${status}), which is not followed`);
}
