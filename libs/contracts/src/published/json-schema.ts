import { z } from 'zod';
import { duration, durationText } from '../spec/duration.js';

/** JSON Schema 2020-12, as far as zod writes it; other members are annotations. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly [annotation: string]: unknown;
}

export type JsonSchemas = Readonly<Record<string, JsonSchema>>;

export interface Writing {
  /** What is sent to Davit, or what Davit sends: they differ where a field has a default. */
  readonly io: 'input' | 'output';
  /** What stands before the name of a shape where another one refers to it, for example `#/$defs/`. */
  readonly root: string;
  /** Members that are not named are allowed: readers have to live with additions. */
  readonly open?: boolean;
  /** What is written for schemas that only code can check. */
  readonly instead?: ReadonlyMap<z.core.$ZodType, JsonSchema>;
}

/**
 * Every named shape as JSON Schema. A shape that stands in another one is referred to by its name.
 */
export function writeSchemas(named: ReadonlyMap<z.ZodType, string>, writing: Writing): JsonSchemas {
  const { io, root, open = false, instead } = writing;
  const shapes = z.registry<{ id?: string }>();
  for (const [schema, id] of named) shapes.add(schema, { id });
  const { schemas } = z.toJSONSchema(shapes, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    uri: (id) => `${root}${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      const { description, examples } = z.globalRegistry.get(zodSchema) ?? {};
      Object.assign(jsonSchema, description && { description }, examples && { examples });
      if (instead?.has(zodSchema)) Object.assign(jsonSchema, instead.get(zodSchema));
      else if (CODE_ONLY.has(zodSchema._zod.def.type)) Object.assign(jsonSchema, { [UNSAID]: zodSchema._zod.def.type });
      if (io === 'input') Object.assign(jsonSchema, writtenDefault(zodSchema));
      // No format of JSON Schema: the pattern beside it says the same.
      if (jsonSchema.format === 'starts_with') delete jsonSchema.format;
      if (open && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutHead(schema as JsonSchema)])); // what zod writes is narrower than its type
}

/** The default of a duration is milliseconds once it is read; whoever leaves it out is told what they would have written. */
const writtenDefault = (schema: z.core.$ZodType): { readonly default?: string } =>
  schema instanceof z.ZodDefault && schema.def.innerType === duration && typeof schema.def.defaultValue === 'number'
    ? { default: durationText(schema.def.defaultValue) }
    : {};

/** Marks a schema that only code can check, which would read as if it allowed everything; nothing that holds it is published. */
export const UNSAID = 'x-unsaid';
const CODE_ONLY: ReadonlySet<string> = new Set(['custom', 'transform', 'date', 'map', 'set', 'bigint', 'function']);

function withoutHead(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([member]) => member !== '$schema' && member !== '$id'));
}

/** The same with each reference written anew. */
export function mapReferences(schema: JsonSchema, map: (reference: string) => string): JsonSchema {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === '$ref' && typeof member === 'string' ? map(member) : walk(member),
      ]),
    );
  };
  return walk(schema) as JsonSchema; // the same shape
}

/** What a schema refers to. */
export function referencesOf(schema: JsonSchema): readonly string[] {
  const found: string[] = [];
  mapReferences(schema, (reference) => {
    found.push(reference);
    return reference;
  });
  return found;
}
