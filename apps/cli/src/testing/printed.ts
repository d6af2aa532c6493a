import { afterEach, beforeEach, jest } from '@jest/globals';

/** What commands print while a test runs. */
export function collectOutput(): { readonly out: () => string; readonly err: () => string } {
  let out = '';
  let err = '';
  beforeEach(() => {
    [out, err] = ['', ''];
    jest.spyOn(process.stdout, 'write').mockImplementation((chunk: unknown) => {
      out += String(chunk);
      return true;
    });
    jest.spyOn(process.stderr, 'write').mockImplementation((chunk: unknown) => {
      err += String(chunk);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  return { out: () => out, err: () => err };
}
