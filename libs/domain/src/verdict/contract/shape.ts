import { type Shape } from './observation.js';

/** Deeper than answers are; what lies below is not looked at. */
const DEEPEST = 12;

/** The structure of a parsed JSON value. The items of a list are told by their distinct shapes, whatever their number. */
export function shapeOf(value: unknown, depth = 0): Shape {
  if (value === null || depth > DEEPEST) return { kind: 'null' };
  if (Array.isArray(value)) return { kind: 'array', items: distinct(value.map((item) => shapeOf(item, depth + 1))) };
  switch (typeof value) {
    case 'object':
      return {
        kind: 'object',
        fields: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner, depth + 1)])),
      };
    case 'string':
      return { kind: 'string' };
    case 'number':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    default:
      return { kind: 'null' };
  }
}

const distinct = (shapes: readonly Shape[]): readonly Shape[] =>
  shapes.filter((shape, index) => shapes.findIndex((other) => isSame(other, shape)) === index);

const isSame = (a: Shape, b: Shape): boolean => breaksOf(a, b).length === 0 && breaksOf(b, a).length === 0;

/**
 * Where a client written against `recorded` would trip over `observed`: a field that is gone, a value of another kind, an item
 * of a kind that no recorded item had. Fields that are new break nobody. A value that was null before says nothing of its kind.
 *
 * @returns paths with what is wrong there
 */
export function breaksOf(recorded: Shape, observed: Shape, path = '$'): readonly string[] {
  if (recorded.kind === 'null') return [];
  if (recorded.kind === 'object' && observed.kind === 'object') {
    return Object.entries(recorded.fields).flatMap(([name, shape]) => {
      const inner = observed.fields[name];
      if (inner === undefined) return [`${path}.${name} is gone`];
      return breaksOf(shape, inner, `${path}.${name}`);
    });
  }
  if (recorded.kind === 'array' && observed.kind === 'array') return itemBreaks(recorded.items, observed.items, path);
  return recorded.kind === observed.kind ? [] : [`${path} is ${observed.kind}, was ${recorded.kind}`];
}

function itemBreaks(recorded: readonly Shape[], observed: readonly Shape[], path: string): readonly string[] {
  if (recorded.length === 0) return [];
  if (observed.length === 0) return [`${path} is empty, was not`];
  return observed.flatMap((item) => {
    const breaks = recorded.map((known) => breaksOf(known, item, `${path}[]`));
    return breaks.some((found) => found.length === 0) ? [] : (breaks[0] ?? []);
  });
}
