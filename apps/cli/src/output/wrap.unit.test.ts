import { expect, test } from '@jest/globals';
import { proseWidth, wrap } from './wrap.js';

test.each([
  [undefined, 100],
  [0, 100],
  [200, 100],
  [80, 80],
  [40, 60],
])('prose on a terminal of %s columns is %d wide', (columns, width) => {
  expect(proseWidth(columns)).toBe(width);
});

test('text is broken at spaces, words are not, and what follows the first line is indented', () => {
  expect(wrap('one two three-and-more four', 8, 2)).toEqual(['one two', '  three-and-more', '  four']);
});
