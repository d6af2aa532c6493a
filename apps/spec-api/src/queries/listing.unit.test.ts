import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { partOf } from './listing.js';

interface Row {
  readonly key: string;
  readonly position: number;
  readonly gone: boolean;
}
const row = (key: string, position = 1, gone = false): Row => ({ key, position, gone });
const isPast = ({ gone }: Row): boolean => gone;
const keysOf = ({ rows }: { readonly rows: readonly Row[] }): string[] => rows.map(({ key }) => key);

describe('a part of a list', () => {
  test('is in the order of keys, as long as asked for, and says where to go on', () => {
    const rows = [row('c'), row('a'), row('b')];
    expect(partOf(rows, { limit: 2 }, isPast)).toEqual({ rows: [row('a'), row('b')], next: 'b' });
    expect(partOf(rows, { limit: 2, after: 'b' }, isPast)).toEqual({ rows: [row('c')], next: null });
    expect(partOf(rows, { limit: 3 }, isPast).next).toBeNull();
  });

  test('leaves out what is gone, unless it is asked for or went after the position that is asked for', () => {
    const rows = [row('a', 1, true), row('b', 5, true), row('c', 3), row('d', 9)];
    expect(keysOf(partOf(rows, { limit: 9 }, isPast))).toEqual(['c', 'd']);
    expect(keysOf(partOf(rows, { limit: 9, all: true }, isPast))).toEqual(['a', 'b', 'c', 'd']);
    expect(keysOf(partOf(rows, { limit: 9, changedAfter: 3 }, isPast))).toEqual(['b', 'd']);
    expect(keysOf(partOf(rows, { limit: 9, changedAfter: 9 }, isPast))).toEqual([]);
  });

  test('read page by page holds each row that is there throughout exactly once, whatever comes and goes between pages', () => {
    const keys = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 });
    fc.assert(
      fc.property(keys, fc.array(keys, { minLength: 1 }), fc.integer({ min: 1, max: 4 }), (stays, others, limit) => {
        const seen: string[] = [];
        let after: string | undefined;
        for (let page = 0; page < 100; page++) {
          const comers = (others[page % others.length] ?? []).filter((key) => !stays.includes(key));
          const part = partOf(
            [...comers, ...stays].map((key) => row(key)),
            { limit, after },
          );
          seen.push(...keysOf(part));
          if (part.next === null) break;
          after = part.next;
        }
        expect(seen.filter((key) => stays.includes(key))).toEqual(stays.toSorted((a, b) => (a < b ? -1 : 1)));
      }),
    );
  });
});
