import type { z } from 'zod';
import { problemDocument } from '../../problem.js';
import { type JsonSchema, writeSchemas } from '../json-schema.js';
import { NAMED_SHAPES } from '../named-shapes.js';
import { QUESTIONS, type Question } from './questions.js';

const ROOT = '#/components/schemas/';
const PROBLEM = 'problem';

/** Headers that a question may have. */
const QUESTION_HEADERS = {
  type: 'object',
  properties: {
    traceparent: { type: 'string', description: 'W3C trace context.' },
    'Davit-Deadline-Ms': {
      type: 'string',
      description: 'Milliseconds that the requester is ready to wait, from sending.',
    },
  },
};
const INTENT_HEADERS = {
  type: 'object',
  properties: {
    ...QUESTION_HEADERS.properties,
    'Idempotency-Key': {
      type: 'string',
      maxLength: 200,
      description: 'As `idempotencyKey` of the body: the same key and content give the same answer.',
    },
  },
};

/** Intents and requests: a channel for each, and one for its answers, which go to the inbox of whoever asked. */
export function questionParts() {
  const requests = new Map(QUESTIONS.map(({ request, id }) => [request, `request.${NAMED_SHAPES.get(request) ?? id}`]));
  const answers = new Map(QUESTIONS.map(({ answer, id }) => [answer, `answer.${NAMED_SHAPES.get(answer) ?? id}`]));
  answers.set(problemDocument, 'problemDocument');
  const reference = (names: ReadonlyMap<z.ZodType, string>, schema: z.ZodType): JsonSchema => ({
    $ref: `${ROOT}${names.get(schema)}`,
  });
  return {
    channels: Object.fromEntries(QUESTIONS.flatMap(channelsOf)),
    operations: Object.fromEntries(QUESTIONS.map((question) => [question.id, operationOf(question)])),
    messages: {
      ...Object.fromEntries(
        QUESTIONS.flatMap(({ id, isIntent, request, answer }) => [
          [id, { headers: isIntent ? INTENT_HEADERS : QUESTION_HEADERS, payload: reference(requests, request) }],
          [`${id}.answer`, { payload: reference(answers, answer) }],
        ]),
      ),
      [PROBLEM]: {
        summary: 'It was set aside, and nothing was done',
        headers: { type: 'object', properties: { 'Davit-Status': { const: 'problem' } }, required: ['Davit-Status'] },
        payload: reference(answers, problemDocument),
      },
    },
    schemas: {
      ...writeSchemas(requests, { io: 'input', root: ROOT }),
      ...writeSchemas(answers, { io: 'output', root: ROOT, open: true }),
    },
  };
}

const message = (name: string) => ({ [name]: { $ref: `#/components/messages/${name}` } });

function channelsOf({ id, address, isIntent }: Question): readonly (readonly [string, object])[] {
  const stored = 'Stored in stream INTENTS until it is dealt with; the answer is given after the append.';
  return [
    [id, { address, ...(isIntent ? { description: stored } : {}), messages: message(id) }],
    [`${id}.answer`, { address: null, messages: { ...message(`${id}.answer`), ...message(PROBLEM) } }],
  ];
}

function operationOf({ id, summary }: Question): object {
  const answers = `#/channels/${id}.answer`;
  return {
    action: 'receive',
    channel: { $ref: `#/channels/${id}` },
    summary,
    messages: [{ $ref: `#/channels/${id}/messages/${id}` }],
    reply: {
      channel: { $ref: answers },
      messages: [{ $ref: `${answers}/messages/${id}.answer` }, { $ref: `${answers}/messages/${PROBLEM}` }],
    },
  };
}
