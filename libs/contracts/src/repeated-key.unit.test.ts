import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { repeatedKey } from './repeated-key.js';

describe('a key that an object holds twice', () => {
  test.each([
    ['{"a": 1, "a": 2}', 'a', 9],
    ['{"a": {"b": 1},\n "c": [{"d": 0, "b": 1, "d" : 2}]}', 'd', 40],
    ['{"a": 1, "\\u0061": 2}', 'a', 9],
    ['{"\\"": "\\\\", "\\"": 1}', '"', 13],
  ])('is found where it stands again: %s', (text, key, offset) => {
    expect(repeatedKey(text)).toEqual({ key, offset });
  });

  test('is not taken for one of another object, nor for a value, and no depth is too deep', () => {
    expect(repeatedKey('{"a": {"a": "a", "b": "\\": {a"}, "b": [{"a": 1}, {"a": 2}]}')).toBeUndefined();
    expect(repeatedKey(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeUndefined();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect(repeatedKey(JSON.stringify(value, null, 1))).toBeUndefined()),
    );
  });
});
