import type { z } from 'zod';
import { envelope } from '../../envelope.js';
import { OPERATIONS } from '../../api/operations/all.js';
import { recordedEvent } from '../../api/operations/events.js';
import { problemDocument } from '../../problem.js';
import { type JsonSchema, type JsonSchemas, mapReferences, writeSchemas } from '../json-schema.js';
import { NAMED_SHAPES, named, reachable } from '../named-shapes.js';

const ROOT = '#/components/schemas/';

/** Schemas of requests and answers; each is looked up by the zod schema that it says. */
export interface OperationShapes {
  request(schema: z.ZodType): JsonSchema;
  answer(schema: z.ZodType): JsonSchema;
  readonly components: JsonSchemas;
}

/**
 * What operations are asked and answer. A shape that is sent in both directions and differs in them, since a default may be left
 * out of a request, has another name in requests.
 */
export function operationShapes(): OperationShapes {
  const sent = shapesOf(OPERATIONS.flatMap(({ query, params, headers, body }) => [query, params, headers, body]));
  const told = shapesOf([
    problemDocument,
    envelope,
    ...OPERATIONS.flatMap(({ responses }) => Object.values(responses)),
  ]);
  const event = new Map([[recordedEvent, { $ref: `${ROOT}envelope` }]]);
  const requests = partOf(sent, writeSchemas(sent.names, { io: 'input', root: ROOT }));
  const answers = partOf(told, writeSchemas(told.names, { io: 'output', root: ROOT, open: true, instead: event }));
  const differs = (name: string): boolean =>
    name in answers.shared && JSON.stringify(answers.shared[name]) !== JSON.stringify(requests.shared[name]);
  const nameInRequest = (name: string): string => (differs(name) ? `${name}Request` : name);
  const rename = (schema: JsonSchema): JsonSchema =>
    mapReferences(schema, (reference) => `${ROOT}${nameInRequest(reference.slice(ROOT.length))}`);
  const renamed = Object.entries(requests.shared).map(
    ([name, schema]) => [nameInRequest(name), rename(schema)] as const,
  );
  const components = new Map([...Object.entries(answers.shared), ...renamed]);
  return {
    request: (schema) => rename(requests.of(schema)),
    answer: (schema) => answers.of(schema),
    components: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

interface Shapes {
  readonly names: ReadonlyMap<z.ZodType, string>;
  readonly own: readonly z.ZodType[];
}

/** Schemas of operations, by their names or, where they have none, by numbers. */
function shapesOf(schemas: readonly (z.ZodType | undefined)[]): Shapes {
  const own = [...new Set(schemas.flatMap((schema) => schema ?? []))];
  const names = own.map((schema, index) => [schema, NAMED_SHAPES.get(schema) ?? `own.${index}`] as const);
  return { names: new Map([...NAMED_SHAPES, ...names]), own };
}

/** What of all schemas is used: those that have a name are referred to, the others stand where they are used. */
function partOf({ names, own }: Shapes, schemas: JsonSchemas) {
  const of = (schema: z.ZodType): JsonSchema => {
    const name = names.get(schema);
    return NAMED_SHAPES.has(schema) ? { $ref: `${ROOT}${name}` } : named(schemas, name);
  };
  return { of, shared: reachable(schemas, own.map(of), ROOT) };
}
