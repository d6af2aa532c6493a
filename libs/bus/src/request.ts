import {
  type IntentAnswer,
  type IntentVerb,
  type ProblemDocument,
  intentAnswer,
  problemDocument,
  subjects,
} from '@davit/contracts';
import { type Msg, NatsError, headers as newHeaders } from 'nats';
import { z } from 'zod';
import { decodeJson, encodeJson, maxPayloadBytes } from './codec.js';
import type { Bus } from './connection.js';
import { MAX_INTENT_BYTES } from './streams/definitions.js';
import { busHeaders } from './subjects.js';

export type Reply<Body> =
  | { readonly outcome: 'answered'; readonly body: Body }
  /** The other side understood and says no, or has failed. */
  | { readonly outcome: 'refused'; readonly problem: ProblemDocument }
  /** Nobody serves the subject at this moment; nothing was done. */
  | { readonly outcome: 'no-responders' }
  /** Unknown whether the other side did anything (law 4). */
  | { readonly outcome: 'timeout' }
  /** An answer of an unexpected shape: unknown as well. */
  | { readonly outcome: 'invalid'; readonly detail: string };

export interface RequestOptions<Body> {
  readonly timeoutMs: number;
  /** What the answer must look like. */
  readonly reply: z.ZodType<Body>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Largest body accepted here; default and upper bound: the broker's. */
  readonly maxBytes?: number;
}

/**
 * Asks over core NATS and waits for one answer.
 * @throws PayloadTooLargeError before anything is sent; faults of a closed connection pass through
 */
export async function request<Body>(
  bus: Bus,
  subject: string,
  body: unknown,
  options: RequestOptions<Body>,
): Promise<Reply<Body>> {
  const { connection } = bus;
  const limit = Math.min(options.maxBytes ?? Infinity, maxPayloadBytes(connection));
  const payload = encodeJson(subject, body, limit);
  const headers = newHeaders();
  headers.set(busHeaders.deadlineMs, String(options.timeoutMs));
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
  try {
    return readReply(
      await connection.request(subject, payload, { timeout: options.timeoutMs, headers }),
      options.reply,
    );
  } catch (error) {
    if (error instanceof NatsError && error.code === '503') return { outcome: 'no-responders' };
    if (error instanceof NatsError && error.code === 'TIMEOUT') return { outcome: 'timeout' };
    throw error;
  }
}

function readReply<Body>(message: Msg, schema: z.ZodType<Body>): Reply<Body> {
  const decoded = decodeJson(message.data);
  if (!decoded.ok) return { outcome: 'invalid', detail: decoded.reason };
  if (message.headers?.get(busHeaders.status) === 'problem') {
    const problem = problemDocument.safeParse(decoded.value);
    if (problem.success) return { outcome: 'refused', problem: problem.data };
    return { outcome: 'invalid', detail: z.prettifyError(problem.error) };
  }
  const parsed = schema.safeParse(decoded.value);
  if (parsed.success) return { outcome: 'answered', body: parsed.data };
  return { outcome: 'invalid', detail: z.prettifyError(parsed.error) };
}

/**
 * Sends an intent and waits for what came of it. After a `timeout` the intent may still be carried out: it waits in
 * INTENTS. Ask again with the same idempotency key in the body.
 * @throws PayloadTooLargeError before anything is sent
 */
export function requestIntent(
  bus: Bus,
  verb: IntentVerb<'deployment'>,
  body: unknown,
  options: { readonly timeoutMs: number; readonly headers?: Readonly<Record<string, string>> },
): Promise<Reply<IntentAnswer>> {
  const subject = subjects.intent('deployment', verb);
  return request(bus, subject, body, { ...options, reply: intentAnswer, maxBytes: MAX_INTENT_BYTES - 1_024 });
}
