import type { z } from 'zod';
import { valueAt } from './field-path.js';

/** The parts of zod's definition of a schema that are walked here. Source: zod 4, `z.core.$ZodTypeDef`. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly discriminator?: string;
}

/** Keys that the schema allows at a place of the input; empty where it allows none or any. */
export function knownKeysAt(schema: z.core.$ZodType, path: readonly PropertyKey[], input: unknown): readonly string[] {
  let current = schema;
  for (const [index, part] of path.entries()) {
    const next = member(plain(current, valueAt(input, path.slice(0, index))), part);
    if (!next) return [];
    current = next;
  }
  return Object.keys(definitionOf(plain(current, valueAt(input, path))).shape ?? {});
}

/** Takes off what only adds a default, and chooses the branch of a union that the input names. */
function plain(schema: z.core.$ZodType, value: unknown): z.core.$ZodType {
  const { innerType, options, discriminator } = definitionOf(schema);
  if (innerType) return plain(innerType, value);
  if (!options || discriminator === undefined) return schema;
  const named = valueAt(value, [discriminator]);
  const branch = options.find((option) => {
    const tag = definitionOf(option).shape?.[discriminator];
    return tag !== undefined && typeof named === 'string' && (tag._zod.values?.has(named) ?? false);
  });
  return branch ?? schema;
}

function member(schema: z.core.$ZodType, part: PropertyKey): z.core.$ZodType | undefined {
  const { shape, element } = definitionOf(schema);
  return typeof part === 'number' ? element : shape?.[String(part)];
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def;
