import { describe, expect, it } from '@jest/globals';
import { pythonNumber, rustNumber, streamNumber } from './numbers.js';

describe('numbers in metrics', () => {
  it.each([
    [8, '8.0'],
    [0.5, '0.5'],
    [1_234_567, '1.234567e+06'],
    [1_000_000, '1e+06'],
    [999_999, '999999.0'],
    [12_345_678_901, '1.2345678901e+010'],
    [Number.POSITIVE_INFINITY, '+Inf'],
    [Number.NaN, 'NaN'],
  ])('%d prints as %s in Python', (value, text) => {
    expect(pythonNumber(true)(value)).toBe(text);
  });

  it('has lost the padding of the exponent in the newest client of Python', () => {
    expect(pythonNumber(false)(12_345_678_901)).toBe('1.2345678901e+10');
    expect(pythonNumber(false)(1_234_567)).toBe('1.234567e+06');
  });

  it.each([
    [18_446_744, '18446744'],
    [0.0625, '0.0625'],
    [Number.POSITIVE_INFINITY, '+Inf'],
  ])('%d prints as %s in Rust', (value, text) => {
    expect(rustNumber(value)).toBe(text);
  });

  it.each([
    [5061, '5061'],
    [235.7434, '235.743'],
    [1_234_567, '1.23457e+06'],
    [0.00001234567, '1.23457e-05'],
    [Number.NaN, 'nan'],
  ])('%d prints as %s in C++', (value, text) => {
    expect(streamNumber(value)).toBe(text);
  });
});
