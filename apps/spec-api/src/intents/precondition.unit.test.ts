import { describe, expect, test } from '@jest/globals';
import { headerPreconditions } from './precondition.js';

describe('the preconditions in headers', () => {
  test.each([
    [{}, []],
    [{ 'if-match': '"1042"' }, [1042]],
    [{ 'if-match': '"1042-mZ1_x-9"' }, [1042]],
    [{ 'if-match': '"7", "1042-a"' }, [1042]],
    [{ 'if-match': '*' }, ['exists']],
    [{ 'if-none-match': '*' }, ['absent']],
  ])('%j asks for %j', (headers, wanted) => {
    expect(headerPreconditions(headers)).toEqual(wanted);
  });

  test.each([
    [{ 'if-match': '1042' }, 'If-Match'],
    [{ 'if-match': 'W/"1042"' }, 'If-Match'],
    [{ 'if-match': '' }, 'If-Match'],
    [{ 'if-match': '"1042", x' }, 'If-Match'],
    [{ 'if-match': '"99999999999999999999"' }, 'If-Match'],
    [{ 'if-none-match': '"1042"' }, 'If-None-Match'],
  ])('%j is refused with the header and the remedy', (headers, path) => {
    expect(() => headerPreconditions(headers)).toThrow(
      expect.objectContaining({ status: 400, errors: [expect.objectContaining({ path })] }),
    );
  });
});
