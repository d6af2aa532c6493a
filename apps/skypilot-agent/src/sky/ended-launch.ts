import type { ErrorClass } from '@davit/contracts';
import { type ObserveHints, type ObserveResult, redact } from '@davit/provider-kit';
import type { SkyReply } from './cli.js';
import { classifyLog, type Verdict } from './errors.js';
import type { Explainer } from './explain.js';
import type { ClusterRow } from './output.js';
import { present, unknown } from './seen.js';

/** Neither row nor launch: the launch ended and left nothing. Its own log says why. */
export async function endedLaunch(explainer: Explainer, name: string, hints: ObserveHints): Promise<ObserveResult> {
  if (hints.handle === null) return { outcome: 'absent' };
  const logs = await explainer.logs(name, { ended: hints.handle });
  const ending = endingOf(logs.request);
  const secrets = explainer.secretsOf(hints);
  switch (ending.how) {
    case 'well':
    case 'forgotten':
      return { outcome: 'absent' };
    case 'unheard':
      return unknown(redact(ending.detail, secrets));
    case 'failed': {
      const { class: errorClass, detail } = ending.verdict;
      // Nothing was left of it to fail.
      if (errorClass === 'not-found') return { outcome: 'absent' };
      const diagnosis = explainer.of(logs, hints);
      const seen = present('failed', null, null, redact(detail, secrets), errorClass);
      return { ...seen, ...(diagnosis && { diagnosis }) };
    }
  }
}

/** INIT, never up, and nothing under way: the first launch failed, and a machine may be left. */
export async function failedFirstLaunch(
  explainer: Explainer,
  row: ClusterRow,
  hints: ObserveHints,
): Promise<ObserveResult> {
  const logs = await explainer.logs(row.name, { ended: hints.handle, provision: row.name, cloud: row.cloud });
  const { provision } = logs;
  const log = provision?.kind === 'ok' ? provision.stdout : '';
  const ending = endingOf(logs.request);
  const reason = ending.how === 'failed' ? ending.verdict : undefined;
  const lastLine = log.split('\n').findLast((line) => line.trim() !== '') ?? '';
  const detail = reason?.detail ?? (lastLine === '' ? `no reason given: ${row.status}` : lastLine);
  const diagnosis = explainer.of(logs, hints);
  const errorClass = specific(reason?.class) ?? diagnosis?.class ?? classifyLog(log) ?? reason?.class ?? 'unknown';
  const seen = present('failed', row.hash, null, redact(detail, explainer.secretsOf(hints)), errorClass);
  return { ...seen, ...(diagnosis && { diagnosis }) };
}

/** A class that says more than "something failed". */
const specific = (errorClass: ErrorClass | undefined): ErrorClass | undefined =>
  errorClass === 'unknown' || errorClass === 'transient' ? undefined : errorClass;

type Ending =
  | { readonly how: 'well' }
  | { readonly how: 'failed'; readonly verdict: Verdict }
  /** A server that was stopped may have lost its table of requests: it knows nothing of the launch, good or bad. */
  | { readonly how: 'forgotten' }
  /** The question itself failed, which says nothing of what was asked about. */
  | { readonly how: 'unheard'; readonly detail: string };

/** How a request ended, by what following it printed. */
function endingOf(reply: SkyReply | undefined): Ending {
  if (reply === undefined || reply.kind === 'ok') return { how: 'well' };
  if (reply.kind === 'lost') return { how: 'unheard', detail: reply.detail };
  const { exception, detail } = reply.verdict;
  if (exception === 'ClientError' && /not found/i.test(detail)) return { how: 'forgotten' };
  const isUnheard = reply.exitCode === 2 || QUESTION_FAILED.test(exception ?? '');
  return isUnheard ? { how: 'unheard', detail } : { how: 'failed', verdict: reply.verdict };
}

/** Of the client and its server, and of the connection between them; a launch that fails on the network has other names. */
const QUESTION_FAILED =
  /^(ClientError|ApiServerConnectionError|ApiServerAuthenticationError|APIVersionMismatchError|APINotSupportedError|PermissionDeniedError|ServerTemporarilyUnavailableError|ConnectionError|ConnectTimeout|ReadTimeout|Timeout|SSLError|ChunkedEncodingError)$/;
