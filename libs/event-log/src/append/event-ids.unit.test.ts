import { expect, test } from '@jest/globals';
import { sequentialIds } from '@davit/ports';
import fc from 'fast-check';
import { eventIdSource } from './event-ids.js';

test('under a key the ids are the same every time, whatever the source of fresh ids', () => {
  const first = eventIdSource(sequentialIds(1), 'tenant', 'key');
  const second = eventIdSource(sequentialIds(2), 'tenant', 'key');
  expect([first(0), first(1)]).toEqual([second(0), second(1)]);
});

test('different tenants, keys or places never share an id', () => {
  const name = fc.tuple(fc.string(), fc.string(), fc.nat(50));
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 2, maxLength: 20, selector: (each) => JSON.stringify(each) }),
      (names) => {
        const ids = names.map(([tenant, key, index]) => eventIdSource(sequentialIds(), tenant, key)(index));
        expect(new Set(ids).size).toBe(names.length);
      },
    ),
  );
});

test('without a key each id is fresh', () => {
  const next = eventIdSource(sequentialIds(), 'tenant', undefined);
  expect(next(0)).not.toBe(next(0));
});
