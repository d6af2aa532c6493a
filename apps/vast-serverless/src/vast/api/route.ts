import { z } from 'zod';
import { clean } from '../wire/clean.js';
import type { Reply } from '../wire/reply.js';
import { Secret } from '../wire/secret.js';
import type { Transport } from '../wire/transport.js';

export interface RouteQuestion {
  /** Name of the endpoint. */
  readonly endpoint: string;
  /** Load units of the request, tokens for a language model. Above 0 it counts as demand and may rent workers; 0 probes. */
  readonly cost: number;
  /** As the answer before gave it; without it each question counts as new load. */
  readonly requestIdx?: number;
  /** Longest time for the answer. Default 10 s, as the vendor's own client has it. */
  readonly timeoutMs?: number;
}

/** `assigned` is told by the presence of an address alone; what else the service says is for people. */
export type RouteAnswer =
  | {
      readonly state: 'assigned';
      readonly url: string;
      readonly requestIdx: number | null;
      /** The answer as received; a worker wants it back unchanged. */
      readonly authData: Secret<Readonly<Record<string, unknown>>>;
    }
  | {
      readonly state: 'waiting';
      /** Null while the engine has not learnt of the endpoint. */
      readonly requestIdx: number | null;
      /** The service's words, cleaned, of no documented form. */
      readonly words: string;
    };

const answer = z
  .looseObject({
    url: z.string().optional(),
    status: z.string().optional().catch(undefined),
    request_idx: z.int().nullish().catch(null),
  })
  .transform((body): RouteAnswer => {
    const requestIdx = body.request_idx ?? null;
    if (body.url === undefined || body.url === '') {
      return { state: 'waiting', requestIdx, words: clean(body.status ?? 'no worker is ready') };
    }
    return { state: 'assigned', url: body.url, requestIdx, authData: new Secret(body) };
  });

const TIMEOUT_MS = 10_000;

/** Asks the engine for a worker. One question, one exchange: who asks decides whether to ask again. */
export class RouteApi {
  constructor(private readonly transport: Transport) {}

  async ask(question: RouteQuestion): Promise<Reply<RouteAnswer>> {
    const reply = await this.transport.call({
      route: 'POST route',
      path: '/route/',
      schema: answer,
      patienceMs: question.timeoutMs ?? TIMEOUT_MS,
      body: { endpoint: question.endpoint, cost: question.cost, request_idx: question.requestIdx ?? 0 },
    });
    // The engine's list of endpoints lags behind the console.
    if (reply.kind === 'unknown' && NOT_KNOWN_YET.test(reply.detail)) {
      return { kind: 'confirmed', value: { state: 'waiting', requestIdx: null, words: reply.detail } };
    }
    return reply;
  }
}

const NOT_KNOWN_YET = /not (known|ready)|not found/i;
