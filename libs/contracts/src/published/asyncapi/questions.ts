import type { z } from 'zod';
import { OPERATIONS } from '../../api/operations/all.js';
import { BUS_REQUESTS, type BusRequest } from '../../requests.js';
import { intentAnswer } from '../../intents.js';

/** Something that Davit is asked on the bus and answers there. */
export interface Question {
  /** `deployment.apply`, `capacity-advisor.assess`. */
  readonly id: string;
  readonly address: string;
  readonly summary: string;
  readonly request: z.ZodType;
  readonly answer: z.ZodType;
  readonly isIntent: boolean;
}

const INTENT_PATH = /^\/v1\/intents\/([a-z-]+)\/([a-z-]+)$/;

/** What may be asked for over HTTP may be asked for on the bus, with the same body. */
const intents: readonly Question[] = OPERATIONS.flatMap(({ path, method, body, summary }) => {
  const [, kind, verb] = INTENT_PATH.exec(path) ?? [];
  if (method !== 'POST' || kind === undefined || verb === undefined || body === undefined) return [];
  const id = `${kind}.${verb}`;
  return { id, address: `davit.intent.${id}`, summary, request: body, answer: intentAnswer, isIntent: true };
});

const requests: readonly Question[] = Object.entries<Readonly<Record<string, BusRequest>>>(BUS_REQUESTS).flatMap(
  ([service, verbs]) =>
    Object.entries(verbs).map(([verb, { summary, request, answer }]) => {
      const id = `${service}.${verb}`;
      return { id, address: `davit.rpc.${id}`, summary, request, answer, isIntent: false };
    }),
);

export const QUESTIONS: readonly Question[] = [...intents, ...requests];
