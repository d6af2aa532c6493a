import type { HttpClient, HttpOutcome } from '@davit/ports';
import type { RouteAnswer } from '../api/route.js';

export type Assignment = Extract<RouteAnswer, { readonly state: 'assigned' }>;

export interface WorkerRequest {
  /** Of the model server, for example `/v1/completions`. */
  readonly path: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/**
 * What a worker answered. Its answer is the model server's own where the state is 2xx; the others are the worker's, and empty
 * or short. Source: Vast's PyWorker, August 2026.
 */
export type WorkerAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** Too much to do (429), or the model failed (408, 5xx): another worker may do it. */
  | { readonly kind: 'busy' | 'failed'; readonly status: number }
  /** The signature was not taken (401), although the engine gave it: worker and engine do not fit together. */
  | { readonly kind: 'unauthorised'; readonly status: 401 }
  /** The request itself is wrong (4xx), and would be anywhere. */
  | { readonly kind: 'invalid'; readonly status: number }
  /** No answer. Whether the model worked on it is not known. */
  | { readonly kind: 'lost'; readonly reason: Extract<HttpOutcome, { kind: 'failure' }>['reason'] };

export interface WorkerCallParts {
  readonly http: HttpClient;
  /** Certificate authorities that workers' certificates go back to; Vast's own root. Trusted here and nowhere else. */
  readonly ca?: string;
}

/** One request to the worker that was assigned. The signature is what lets it in; no key goes there. */
export async function callWorker(
  { http, ca }: WorkerCallParts,
  { url, authData }: Assignment,
  { path, payload, timeoutMs, maxBytes, signal }: WorkerRequest,
): Promise<WorkerAnswer> {
  if (!/^https?:\/\//.test(url)) return { kind: 'invalid', status: 400 };
  const outcome = await http.request({
    method: 'POST',
    url: `${url.replace(/\/+$/, '')}${path}`,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ auth_data: authData.reveal(), session_id: null, payload }),
    timeoutMs,
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(signal === undefined ? {} : { signal }),
    ...(ca === undefined || !url.startsWith('https:') ? {} : { ca }),
  });
  if (outcome.kind === 'failure') return { kind: 'lost', reason: outcome.reason };
  return judgeWorker(outcome.status, outcome.body);
}

function judgeWorker(status: number, body: string): WorkerAnswer {
  if (status >= 200 && status < 300) return { kind: 'answered', status, body };
  if (status === 401) return { kind: 'unauthorised', status };
  if (status === 429) return { kind: 'busy', status };
  if (status === 408 || status >= 500) return { kind: 'failed', status };
  return { kind: 'invalid', status };
}
