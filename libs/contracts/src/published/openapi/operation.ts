import type { z } from 'zod';
import type { OperationDefinition } from '../../api/operations/define.js';
import type { JsonSchema } from '../json-schema.js';
import { headerReferences, problemName, problemsOf } from './problems.js';
import type { OperationShapes } from './shapes.js';

/** An operation as OpenAPI writes it. */
export function operationObject(operation: OperationDefinition, shapes: OperationShapes): object {
  const { id, tag, summary, description, role, everyTenant, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    'x-davit-role': role,
    ...(everyTenant ? { 'x-davit-every-tenant': true } : {}),
    parameters: parametersOf(operation, shapes),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: shapes.request(body) } } } }),
    responses: responsesOf(operation, shapes),
  };
}

function parametersOf({ params, query, headers, method, media }: OperationDefinition, shapes: OperationShapes) {
  const isTagged = method === 'GET' && media === undefined;
  return [
    ...parametersIn('path', params, shapes),
    ...parametersIn('query', query, shapes),
    ...parametersIn('header', headers, shapes),
    ...(isTagged ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
  ];
}

function parametersIn(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined, shapes: OperationShapes) {
  if (!schema) return [];
  const { properties = {}, required = [] } = shapes.request(schema);
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    ...(place === 'path' || required.includes(name) ? { required: true } : {}),
    ...listStyle(place, rest),
    schema: rest,
  }));
}

/** Several values of one parameter are parted by commas. */
const listStyle = (place: string, { type }: JsonSchema): object =>
  place === 'query' && type === 'array' ? { style: 'form', explode: false } : {};

type Named = readonly [string, object];

function responsesOf(operation: OperationDefinition, shapes: OperationShapes): Readonly<Record<string, object>> {
  const { method, media = 'application/json', responses, summary } = operation;
  const isTagged = method === 'GET' && operation.media === undefined;
  const headers = headerReferences([...(isTagged ? (['ETag'] as const) : []), 'RateLimit', 'RateLimit-Policy']);
  const successes = Object.entries(responses).map(([status, schema]): Named => [
    status,
    { description: summary, headers, content: { [media]: { schema: shapes.answer(schema) } } },
  ]);
  const problems = problemsOf(operation).map((status): Named => [
    String(status),
    { $ref: `#/components/responses/${problemName(status)}` },
  ]);
  const unchanged: readonly Named[] = isTagged ? [['304', { $ref: '#/components/responses/NotModified' }]] : [];
  return Object.fromEntries([...successes, ...unchanged, ...problems]);
}
