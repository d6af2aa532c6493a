import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { run } from './run.js';

let printed: string;
beforeEach(() => {
  printed = '';
  const collect = (chunk: unknown): boolean => {
    printed += String(chunk);
    return true;
  };
  jest.spyOn(process.stdout, 'write').mockImplementation(collect);
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a command line that is wrong', () => {
  test.each([[['get', 'routes', '--frobnicate']], [['get', 'secrets']], [['frobnicate']], [['apply']]])(
    '%j ends with exit code 2, and under --json with an error object',
    async (argv) => {
      expect(await run([...argv, '--json'])).toBe(2);
      expect(JSON.parse(printed)).toMatchObject({ error: { exitCode: 2, message: expect.stringMatching(/.{10}/) } });
    },
  );

  test.each([
    [['delete', 'x', '--timeout', 'soon'], /--timeout <seconds>.*Write a number of seconds/],
    [['events', '--limit', 'few'], /--limit "few" is not a count; write 1 or more/],
    [['events', '--limit', '0'], /--limit "0" is not a count; write 1 or more/],
    [['get', 'routes', '--url', 'foo'], /--url "foo" is not an address; write for example/],
  ])('%j is told what to write', async (argv, message) => {
    expect(await run([...argv, '--json'])).toBe(2);
    expect(JSON.parse(printed)).toMatchObject({ error: { message: expect.stringMatching(message) } });
  });

  test('prints nothing on standard output for people: the message is on standard error', async () => {
    expect(await run(['get', 'routes', '--frobnicate'])).toBe(2);
    expect(printed).toBe('');
  });
});

test('help is no error', async () => {
  expect(await run(['--help', '--json'])).toBe(0);
  expect(printed).toContain('Usage: davit');
});
