import fc from 'fast-check';

/** A JSON Schema, as far as the schemas of the contract go. */
export interface Shape {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Shape>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
  readonly additionalProperties?: Shape | boolean;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
}

/** Deeper than this nothing optional is added. */
const DEPTH = 5;

/** Values that a schema describes. What only the code beside it knows (two fields that contradict each other) may still be wrong. */
export function valueOf(shape: Shape, root: Shape = shape, depth = 0): fc.Arbitrary<unknown> {
  const inside = (one: Shape): fc.Arbitrary<unknown> => valueOf(one, root, depth + 1);
  if (shape.$ref !== undefined) return inside(root.$defs?.[shape.$ref.split('/').at(-1) ?? ''] ?? {});
  if (shape.const !== undefined) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (choices) return fc.oneof(...choices.map(inside));
  switch (shape.type) {
    case 'object':
      return objectOf(shape, inside, depth);
    case 'array':
      return fc.array(inside(shape.items ?? {}), { minLength: shape.minItems ?? 0, maxLength: 3 });
    case 'string':
      return textOf(shape);
    case 'integer':
      return fc.integer({ min: shape.minimum ?? -5, max: Math.min(shape.maximum ?? 1e6, 1e6) });
    case 'number':
      return fc.double({ min: shape.minimum ?? -5, max: Math.min(shape.maximum ?? 1e6, 1e6), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: Shape,
  inside: (one: Shape) => fc.Arbitrary<unknown>,
  depth: number,
): fc.Arbitrary<unknown> {
  const wanted = Object.entries(properties).filter(([name]) => depth < DEPTH || required.includes(name));
  const members = Object.fromEntries(wanted.map(([name, one]) => [name, inside(one)]));
  const named = fc.record(members, { requiredKeys: required.filter((name) => name in members) });
  if (typeof additionalProperties !== 'object' || depth >= DEPTH) return named;
  const name = fc.stringMatching(/^[a-z]{1,8}$/);
  return fc
    .tuple(named, fc.dictionary(name, inside(additionalProperties), { maxKeys: 2 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

function textOf({ pattern, format, minLength = 0, maxLength = 40 }: Shape): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10));
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, 40) });
  // What looks ahead cannot be made from its pattern.
  if (/\(\?[=!<]/.test(pattern)) return fc.constantFrom('small', 'Qwen/Qwen3-8B', 'L40S:1', '1.50');
  return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
}

/** What nobody should send. */
export const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '\0',
    '',
    ' ',
    '__proto__',
    'constructor',
    '../../etc',
    '%00',
    '💥',
    'a'.repeat(2_000),
    -1,
    1e308,
    null,
  ),
  fc.constantFrom([], {}, [[[[]]]], { __proto__: null, toString: 1 }),
);

/** A value with one member changed, taken away or added, anywhere in it. */
export const changed = (value: unknown): fc.Arbitrary<unknown> =>
  fc.tuple(strange, fc.nat(), fc.constantFrom('replace', 'remove', 'add')).map(([other, at, how]) => {
    const copy: unknown = structuredClone(value);
    const holders = holdersIn(copy);
    const holder = holders[at % Math.max(1, holders.length)];
    if (!holder) return other;
    const names = Object.keys(holder);
    const name = names[at % Math.max(1, names.length)];
    if (how === 'add' || name === undefined) holder[`x${at % 7}`] = other;
    else if (how === 'remove') Reflect.deleteProperty(holder, name);
    else holder[name] = other;
    return copy;
  });

/** Every object and array in a value. */
function holdersIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = value as Record<string, unknown>; // arrays are addressed by their indices
  return [own, ...Object.values(own).flatMap(holdersIn)];
}
