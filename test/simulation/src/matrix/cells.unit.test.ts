import { expect, test } from '@jest/globals';
import { partOf } from './cells.js';

test('parts of a matrix hold every cell once, and what names no part is refused', () => {
  const cells = Array.from({ length: 11 }, (_, index) => index);
  const parts = [1, 2, 3, 4].map((part) => partOf(cells, `${part}/4`));
  expect(parts.flat().toSorted((a, b) => a - b)).toEqual(cells);
  expect(parts[1]).toEqual([1, 5, 9]);
  for (const wrong of ['0/4', '5/4', '4', 'all', '1/0']) expect(() => partOf(cells, wrong)).toThrow(/names no part/);
});
