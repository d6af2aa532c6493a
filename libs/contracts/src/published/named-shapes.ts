import type { z } from 'zod';
import * as contracts from '../index.js';
import { deploymentManifest } from '../spec/manifest.js';
import { type JsonSchema, type JsonSchemas, referencesOf } from './json-schema.js';

const isZodType = (value: unknown): value is z.ZodType =>
  typeof value === 'object' && value !== null && '_zod' in value;

/** The first name that each schema has. */
function firstNames(entries: readonly (readonly [string, unknown])[]): ReadonlyMap<z.ZodType, string> {
  const names = new Map<z.ZodType, string>();
  for (const [name, value] of entries) if (isZodType(value) && !names.has(value)) names.set(value, name);
  return names;
}

/** Shapes that have a name of their own wherever they stand: those that this package exports, and the specification. */
export const NAMED_SHAPES = firstNames(Object.entries<unknown>({ ...contracts, deploymentManifest }));

/** @throws Error where there is none of this name */
export function named(schemas: JsonSchemas, name = ''): JsonSchema {
  const found = schemas[name];
  if (found) return found;
  throw new Error(`no schema is called ${JSON.stringify(name)}`);
}

/** What is referred to from some schemas, from there on, in the order of names. */
export function reachable(schemas: JsonSchemas, from: readonly JsonSchema[], root: string): JsonSchemas {
  const found = new Map<string, JsonSchema>();
  const follow = (schema: JsonSchema): void => {
    for (const reference of referencesOf(schema)) {
      const name = reference.slice(root.length);
      if (found.has(name)) continue;
      const target = named(schemas, name);
      found.set(name, target);
      follow(target);
    }
  };
  from.forEach(follow);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
