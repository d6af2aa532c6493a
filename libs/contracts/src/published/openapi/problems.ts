import type { OperationDefinition } from '../../api/operations/define.js';

/** What a status that is no success means here; each is answered with a problem document. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: 'The request is not valid: a parameter, or a body that is not JSON.',
  401: 'It is not known who asks.',
  403: 'Whoever asks may not do this.',
  404: 'There is no such thing, or not for whoever asks.',
  406: 'No answer that the client takes.',
  409: 'What is so now refuses it, or the key was used for other content.',
  412: 'Something was ordered since it was read.',
  413: 'The body is above 1 MiB.',
  414: 'A part of the address is above 300 characters.',
  415: 'The body is not of type application/json.',
  422: 'The body is not what is asked for; each field is named, with what would be right.',
  429: 'Too many requests of this key or token.',
  431: 'Address and headers are above 16 KiB.',
  503: 'Too much to do, or something that this rests on is away; the request may be sent again.',
};

/** What any request may be answered with, before anybody has looked at what it is about. */
const ALWAYS = [400, 401, 403, 406, 414, 429, 431, 503];
const WITH_BODY = [413, 415, 422];

/** Statuses of problems that an operation may answer. */
export function problemsOf({ problems = [], params, body }: OperationDefinition): readonly number[] {
  const statuses = [...ALWAYS, ...problems, ...(params ? [404] : []), ...(body ? WITH_BODY : [])];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

const header = (description: string) => ({ description, schema: { type: 'string' } });

/** Headers that answers share. */
export const HEADERS = {
  ETag: header('Tag of this answer, for If-None-Match and, of a deployment, for If-Match.'),
  RateLimit: header('What is left of the limit of the key or token.'),
  'RateLimit-Policy': header('Limit of the key or token.'),
  'Retry-After': header('Seconds after which the request may be sent again.'),
  'WWW-Authenticate': header('How to say who asks.'),
} as const;

const OWN_HEADERS: Readonly<Record<number, readonly (keyof typeof HEADERS)[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** By name, as answers refer to them. */
export const headerReferences = (names: readonly (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const problemName = (status: number): string => `Problem${status}`;

/** The answers themselves, by name. */
export function problemResponses(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(MEANINGS).map(([status, description]) => [
      problemName(Number(status)),
      {
        description,
        headers: headerReferences(OWN_HEADERS[Number(status)] ?? []),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/problemDocument' } } },
      },
    ]),
  );
}
