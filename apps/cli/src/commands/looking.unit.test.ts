import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const davit = (...words: readonly string[]): Promise<number> => run(['--url', api?.url ?? '', ...words]);
const event = (position: number) => {
  const time = new Date(Date.UTC(2026, 10, 30, 16, 0, position)).toISOString();
  return { position, time, type: 'davit.replica.requested', subject: 'default/a-1-0-1', data: {} };
};
/** A log of so many events, of which a page holds two at most. */
const logOf = (head: number) => ({
  'GET /v1/events': (query: URLSearchParams) => {
    const after = Number(query.get('after'));
    const last = Math.min(after + 2, head, after + Number(query.get('limit')));
    return { items: Array.from({ length: last - after }, (_, index) => event(after + index + 1)), next: last, head };
  },
});
const positions = (): readonly number[] =>
  printed
    .out()
    .split('\n')
    .flatMap((line) => (line ? [Number.parseInt(line, 10)] : []));

describe('events', () => {
  test('are shown up to the limit, over any number of pages', async () => {
    api = await answering(logOf(7));
    expect(await davit('events', '--limit', '5')).toBe(0);
    expect(positions()).toEqual([1, 2, 3, 4, 5]);
    expect(await davit('events', '--after', '5')).toBe(0);
    expect(positions()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test('of a past moment are those that were there: nobody is asked for what came later', async () => {
    api = await answering(logOf(7));
    expect(await davit('at', '3', 'events')).toBe(0);
    expect(positions()).toEqual([1, 2, 3]);
    expect(api.asked).toEqual(['GET /v1/events?after=0&limit=100', 'GET /v1/events?after=2&limit=98']);
    expect(await davit('at', '2026-11-30T16:00:02Z', 'export')).toBe(0);
    expect(
      printed
        .out()
        .trim()
        .split('\n')
        .slice(3)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([event(1), event(2)]);
  });

  test('that there are none is said to people, and to machines by nothing', async () => {
    api = await answering(logOf(0));
    expect(await davit('events')).toBe(0);
    expect(printed.out()).toBe('no events\n');
    expect(await davit('--json', 'events')).toBe(0);
    expect(printed.out()).toBe('no events\n');
  });
});

test.each([
  [['timeline', 'none'], 3, /^error {2}there is no deployment "default\/none"\.\n.*`davit get deployments --all`/],
  [
    ['get', 'replicas', 'a'],
    2,
    /^error {2}"a" is one word too many.*\n.*davit get replicas --deployment a \(exit 2\)\n$/,
  ],
  [['orphans', 'reap', 'x'], 2, /\(see davit orphans reap --help\)/],
])('what is asked for in vain is told with what would do: %j', async (words, code, text) => {
  api = await answering(logOf(0));
  expect(await davit(...words)).toBe(code);
  expect(printed.err()).toMatch(text);
});

test('a question that is refused says nothing of what it changed', async () => {
  api = await answering({});
  expect(await davit('alarms')).toBe(3);
  expect(printed.err()).not.toContain('Nothing was changed');
});
