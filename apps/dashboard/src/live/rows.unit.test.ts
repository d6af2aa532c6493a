import { describe, expect, test } from '@jest/globals';
import { mergeRows } from './rows.js';

interface Row {
  readonly id: string;
  readonly state: string;
}
const keyed = { keyOf: ({ id }: Row) => id, isGone: ({ state }: Row) => state === 'deleted' };
const a = { id: 'a', state: 'serving' };
const b = { id: 'b', state: 'launching' };

describe('a list that follows the log', () => {
  test('takes what is new and what changed, drops what is gone, and leaves every other row the object that it was', () => {
    const c = { id: 'c', state: 'requested' };
    const next = mergeRows(
      { position: 5, items: [a, b] },
      { position: 9, items: [{ id: 'b', state: 'deleted' }, c] },
      keyed,
    );
    expect(next).toEqual({ position: 9, items: [a, c] });
    expect(next.items[0]).toBe(a);
  });

  test('that nothing changed in stays the very same list', () => {
    const items = [a, b];
    expect(mergeRows({ position: 5, items }, { position: 9, items: [] }, keyed).items).toBe(items);
  });
});
