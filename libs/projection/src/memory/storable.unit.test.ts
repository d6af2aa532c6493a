import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { storableJson } from '../canonical-json.js';
import { storable } from './storable.js';

const values = fc.dictionary(
  fc.string({ unit: 'binary' }),
  fc.anything({ withDate: true, withNullPrototype: true, withSparseArray: true, stringUnit: 'binary', maxDepth: 3 }),
);

it('a store in memory gives back what a store of JSON would', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(JSON.stringify(storable(value))).toBe(JSON.stringify(JSON.parse(storableJson(value))));
    }),
    { numRuns: 2_000 },
  );
  expect(storable({ a: -0, b: [undefined, Number.NaN], c: undefined, d: 'x\0', e: '\ud800', f: new Date(0) })).toEqual({
    a: 0,
    b: [null, null],
    d: 'x\ufffd',
    e: '\ufffd',
    f: '1970-01-01T00:00:00.000Z',
  });
});

it('what is storable as it stands is kept itself, and nobody can change it any more', () => {
  const old = { history: [{ state: 'placed' }], route: null };
  expect(storable(old)).toBe(old);
  const next = { ...old, route: { alias: 'default/qwen' } };
  expect(storable(next)).toBe(next);
  expect(() => Object.assign(next.route, { alias: 'x' })).toThrow(TypeError);
  expect(() => next.history.push({ state: 'ready' })).toThrow(TypeError);
});
