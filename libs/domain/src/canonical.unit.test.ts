import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, digestOf } from './canonical.js';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
};

test('equal values give equal text and digest, in whatever order their keys stand', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      expect(digestOf(reversed(value))).toBe(digestOf(value));
    }),
  );
});

test('keys stand sorted at every depth', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: { f: 'x', e: true } })).toBe(
    '{"a":{"e":true,"f":"x"},"b":[{"c":null,"d":1}]}',
  );
});

test('is the text that a replacer gives which sorts every object', () => {
  const replaced = (value: unknown): string =>
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    );
  const anything = fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true });
  fc.assert(fc.property(anything, (value) => expect(canonicalJson(value)).toBe(replaced(value))));
  for (const value of [undefined, new Date(NaN), { 10: 'a', 2: 'b', x: undefined, __proto__: null }])
    expect(canonicalJson({ b: [value], a: value })).toBe(replaced({ b: [value], a: value }));
});
