import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decimalText, parseDecimalJson } from './decimal-json.js';

/** The same value with each number as JSON writes it. */
const numbersAsText = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
    typeof inner === 'number' ? JSON.stringify(inner) : inner,
  );

describe('JSON with numbers as text', () => {
  it('keeps every digit that was written', () => {
    expect(parseDecimalJson('{"a":0.1000000000000000055511151231257827,"b":[1.50,-2e3]}')).toEqual({
      a: '0.1000000000000000055511151231257827',
      b: ['1.50', '-2e3'],
    });
  });
  it('leaves digits inside strings and keys alone', () => {
    expect(parseDecimalJson(String.raw`{"1":"2","a\"3":"\\4\" 5"}`)).toEqual({ '1': '2', 'a"3': '\\4" 5' });
  });
  it('agrees with the plain reader on all JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseDecimalJson(JSON.stringify(value))).toEqual(numbersAsText(value));
      }),
    );
  });
  it('refuses what is not JSON', () => {
    expect(() => parseDecimalJson('{"a":01}')).toThrow(SyntaxError);
  });
});

describe('a number as decimal text', () => {
  it.each([
    ['0.86', '0.86'],
    ['12', '12'],
    ['8.6e-1', '0.86'],
    ['1.25E+2', '125'],
    ['1.2345e2', '123.45'],
    ['0', '0'],
    ['5e-3', '0.005'],
  ])('%s is %s', (number, text) => {
    expect(decimalText(number)).toBe(text);
  });
  it.each(['-1', '1e999', 'NaN', '', '1.'])('%j is no amount', (number) => {
    expect(decimalText(number)).toBeNull();
  });
  it('never changes the value', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e15, noNaN: true }), (value) => {
        fc.pre(value === 0 || value > 1e-20);
        expect(Number(decimalText(String(value)))).toBe(value);
      }),
    );
  });
});
