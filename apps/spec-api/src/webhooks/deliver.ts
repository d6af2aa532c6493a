import type { RecordedEvent } from '@davit/contracts';
import type { DeliveryOutcome, WebhookState } from '@davit/domain';
import type { HttpClient } from '@davit/ports';
import { signedHeaders, signingKey } from './signature.js';

/** Receivers have to answer within this, as Standard Webhooks recommends; what they do with an event comes after. */
const TIMEOUT_MS = 15_000;
/** Nothing is read of what a receiver answers beside its status. */
const MAX_ANSWER_BYTES = 65_536;

export interface DeliveryParts {
  readonly http: HttpClient;
  /** Reads a variable of the surroundings; asked at the moment of signing. */
  readonly secrets: (variable: string) => string | undefined;
}

/** Posts one event, signed. Whatever goes wrong is an outcome. */
export async function deliver(
  { http, secrets }: DeliveryParts,
  { url, secret }: Pick<WebhookState, 'url' | 'secret'>,
  event: RecordedEvent,
  nowMs: number,
): Promise<DeliveryOutcome> {
  const key = signingKey(secrets(secret.env) ?? '');
  if (!key) {
    const why = `${secret.env} holds no signing secret here; set it to whsec_ and 24 to 64 bytes in base64`;
    return { kind: 'unreachable', why };
  }
  const body = JSON.stringify(event);
  const outcome = await http.request({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/cloudevents+json', ...signedHeaders(key, event.id, nowMs, body) },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (outcome.kind === 'failure') {
    // It answered, at length: what it does with events cannot be told from that.
    const why =
      outcome.reason === 'too-large' ? 'its answer is longer than 64 KiB' : `the connection: ${outcome.reason}`;
    return { kind: 'unreachable', why };
  }
  return outcomeOf(outcome.status, outcome.headers['retry-after'], nowMs);
}

function outcomeOf(status: number, retryAfter: string | undefined, nowMs: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'taken' };
  if (status === 410) return { kind: 'gone', status };
  if (status === 429 || status === 503) return { kind: 'busy', status, retryAfterMs: retryAfterMs(retryAfter, nowMs) };
  return { kind: 'refused', status };
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterMs(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const dateMs = Date.parse(text);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
