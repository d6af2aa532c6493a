import { z } from 'zod';

/** A JSON Schema, as far as those of this system go. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly prefixItems?: readonly Schema[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly examples?: readonly unknown[];
}

/** What texts are taken from: the first that a field allows. Fields that are found by their name come first. */
export interface Pool {
  readonly named: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
}

/** A value that a schema allows, with every field that may be there. */
export function sample(schema: z.ZodType, pool: Pool): unknown {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema; // as zod writes it
  return new Sampler(root, pool).of(root);
}

class Sampler {
  constructor(
    private readonly root: Schema,
    private readonly pool: Pool,
  ) {}

  of(schema: Schema, name = '', depth = 0): unknown {
    if (depth > 12) return null;
    const ref = schema.$ref?.split('/').at(-1);
    if (ref !== undefined) return this.of(this.root.$defs?.[ref] ?? {}, name, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const options = schema.anyOf ?? schema.oneOf;
    if (options) return this.of(options.find(({ type }) => type !== 'null') ?? {}, name, depth + 1);
    if (schema.allOf) return this.of(Object.assign({}, ...schema.allOf) as Schema, name, depth + 1);
    switch ([schema.type].flat().find((type) => type !== 'null')) {
      case 'object':
        return this.object(schema, depth);
      case 'array':
        return this.items(schema).map((item) => this.of(item, name, depth + 1));
      case 'integer':
      case 'number':
        return Math.min(Math.max(schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1, 1), schema.maximum ?? 1);
      case 'boolean':
        return true;
      case 'string':
        return this.text(schema, name);
      default:
        return this.pool.named[name] ?? this.pool.texts[0];
    }
  }

  private items({ prefixItems, items = {}, minItems = 1 }: Schema): readonly Schema[] {
    return prefixItems ?? Array.from({ length: Math.max(minItems, 1) }, () => items);
  }

  private object({ properties = {} }: Schema, depth: number): unknown {
    return Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, this.of(one, key, depth + 1)]));
  }

  private text(schema: Schema, name: string): string {
    const { pattern, minLength = 0, maxLength = Infinity, examples = [] } = schema;
    const fits = (text: string): boolean =>
      text.length >= minLength &&
      text.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, 'u').test(text));
    const named = this.pool.named[name];
    const found =
      typeof named === 'string' && fits(named) ? named : [...this.pool.texts, ...examples.map(String)].find(fits);
    if (found !== undefined) return found;
    throw new Error(`nothing in the pool fits ${name}: ${JSON.stringify(schema)}`);
  }
}
