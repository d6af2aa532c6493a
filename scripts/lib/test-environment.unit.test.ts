import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { BUILT_INS } from './test-environment.mjs';

describe('the context of a test file', () => {
  const { Map: builtIn } = globalThis;
  afterEach(() => {
    globalThis.Map = builtIn;
    jest.useRealTimers();
  });

  test('has the built-ins of the language as constants, which are what its global object has', () => {
    expect(BUILT_INS).toEqual(
      expect.arrayContaining(['Array', 'Error', 'JSON', 'Map', 'Object', 'Promise', 'parseInt']),
    );
    expect(Map).toBe(globalThis.Map);
    globalThis.Map = class Other extends builtIn {};
    expect(Map).toBe(builtIn);
  });

  test('has a clock that can be replaced', () => {
    const timer = setTimeout;
    jest.useFakeTimers({ now: 7 });
    expect(Date.now()).toBe(7);
    expect(setTimeout).not.toBe(timer);
  });
});
