import type { ErrorClass } from '@davit/contracts';
import { type ObserveHints, type ObserveResult, redact } from '@davit/provider-kit';
import type { SkyReply } from './cli.js';
import { classifyLog } from './errors.js';
import type { Explainer } from './explain.js';
import type { ClusterRow } from './output.js';
import { present, unknown } from './seen.js';

/** Neither row nor launch: the launch ended and left nothing. Its own log says why. */
export async function endedLaunch(explainer: Explainer, name: string, hints: ObserveHints): Promise<ObserveResult> {
  if (hints.handle === null) return { outcome: 'absent' };
  const logs = await explainer.logs(name, { ended: hints.handle });
  const reply = logs.request;
  if (reply === undefined || reply.kind === 'ok') return { outcome: 'absent' };
  if (reply.kind === 'lost') return unknown(reply.detail);
  const { class: errorClass, exception, detail } = reply.verdict;
  // A server that lost its request table knows nothing of the launch, so this is no failure of it.
  if (errorClass === 'not-found' || (exception === 'ClientError' && /not found/i.test(detail))) {
    return { outcome: 'absent' };
  }
  if (isTroubleOfTheServer(reply)) return unknown(detail);
  const diagnosis = explainer.of(logs, hints);
  const seen = present('failed', null, null, redact(detail, explainer.secretsOf(hints)), errorClass);
  return { ...seen, ...(diagnosis && { diagnosis }) };
}

/** INIT, never up, and nothing under way: the first launch failed, and a machine may be left. */
export async function failedFirstLaunch(
  explainer: Explainer,
  row: ClusterRow,
  hints: ObserveHints,
): Promise<ObserveResult> {
  const logs = await explainer.logs(row.name, { ended: hints.handle, provision: row.name });
  const { request, provision } = logs;
  const log = provision?.kind === 'ok' ? provision.stdout : '';
  const reason = request?.kind === 'failed' && !isTroubleOfTheServer(request) ? request.verdict : undefined;
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

const SERVER_TROUBLE =
  /^(ApiServerConnectionError|ApiServerAuthenticationError|APIVersionMismatchError|APINotSupportedError|PermissionDeniedError|ServerTemporarilyUnavailableError)$/;

/** The question itself failed, which says nothing of what was asked about. */
const isTroubleOfTheServer = (reply: Extract<SkyReply, { kind: 'failed' }>): boolean =>
  reply.exitCode === 2 || SERVER_TROUBLE.test(reply.verdict.exception ?? '');
