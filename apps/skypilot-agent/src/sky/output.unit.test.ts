import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonArray, parseActiveLaunches, parseClusters, parseEndpoint, parseLaunchId } from './output.js';

const ROW = { name: 'dv-a', status: 'UP', cluster_hash: 'h1', cluster_ever_up: true, is_managed: false };
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const ESC = '\u001b';

describe('cluster rows', () => {
  test.each([
    ['an absent name: prose, then an empty list', `Cluster(s) not found: ${ESC}[1mdv-a${ESC}[0m.\n[]\n`],
    ['a version reminder before it', `${ESC}[33mA newer version is available.${ESC}[0m\n\n[]\n`],
    ['nothing but the list', '[]'],
    ['a list with Windows line ends', '[]\r\n'],
  ])('%s is read as no rows', (_, text) => {
    const parsed = parseClusters(text);
    expect(parsed.ok && parsed.value.size).toBe(0);
  });

  test.each([
    ['nothing', ''],
    ['prose alone', 'Cluster(s) not found: dv-a.\n'],
    ['an HTML page', '<html><body>upstream error</body></html>'],
    ['a truncated list', pretty([ROW]).slice(0, 40)],
    ['a truncated start', '[\n'],
    ['prose after the list', '[]\nFailed to refresh.\n'],
    ['an object', pretty({ clusters: [] })],
    ['a list inside a line of prose', 'the answer is []\n'],
    ['a row without a name', pretty([{ status: 'UP' }])],
    ['null', 'null\n'],
  ])('%s is unreadable, not empty', (_, text) => expect(parseClusters(text).ok).toBe(false));

  test('noise before the rows, and keys of later releases, do not matter', () => {
    const text = `Cluster ${ESC}[1mdv-z${ESC}[0m was terminated on the cloud.\n${pretty([{ ...ROW, placement_hint: { zone: null } }])}`;
    const parsed = parseClusters(text);
    expect(parsed.ok && parsed.value.get('dv-a')).toMatchObject({
      name: 'dv-a',
      status: 'UP',
      hash: 'h1',
      everUp: true,
      managed: false,
      place: '',
    });
  });

  test('a row that cannot be read is there all the same, and hides no other', () => {
    const parsed = parseClusters(pretty([{ name: 'dv-b', status: 7 }, ROW]));
    expect(parsed.ok && parsed.value.get('dv-b')).toBe('unreadable');
    expect(parsed.ok && parsed.value.has('dv-a')).toBe(true);
  });

  test("SkyPilot's own controllers are told apart", () => {
    const parsed = parseClusters(pretty([{ ...ROW, name: 'sky-jobs-controller-1a2b' }]));
    const row = parsed.ok ? parsed.value.get('sky-jobs-controller-1a2b') : undefined;
    expect(row).toMatchObject({ managed: true });
  });

  test('no text is read as empty unless it ends in exactly an empty list', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom('[', '[]', ']', '{}', '\n', `${ESC}[1m`, '[]\n', '[\n]', ' ', '"', 'Cluster(s) not found: x.\n'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        const parsed = parseClusters(text);
        if (!parsed.ok || parsed.value.size > 0) return;
        expect(text.replaceAll(`${ESC}[1m`, '')).toMatch(/(^|\n)\[\s*\]\s*$/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('every list of rows is read back, whatever prose stands before it', () => {
    const prose = fc.string().filter((text) => !/^\[\]?\s*$/m.test(text) && !text.includes(ESC));
    const names = fc.uniqueArray(fc.stringMatching(/^dv-[a-z0-9]{1,8}$/));
    fc.assert(
      fc.property(prose, names, (before, wanted) => {
        const parsed = parseClusters(`${before}\n${pretty(wanted.map((name) => ({ ...ROW, name })))}`);
        expect(parsed.ok && [...parsed.value.keys()]).toEqual(wanted);
      }),
    );
  });
});

describe('requests', () => {
  const request = (changes: object): object => ({
    request_id: 'r1',
    name: 'sky.launch',
    status: 'RUNNING',
    cluster_name: 'dv-a',
    ...changes,
  });

  test('launches that have not ended are under way, words of later releases among them', () => {
    const text = pretty([
      request({}),
      request({ request_id: 'r2', status: 'WAITING' }),
      request({ request_id: 'r3', status: 'PARKED_SOMEHOW' }),
      request({ request_id: 'r4', status: 'SUCCEEDED' }),
      request({ request_id: 'r5', status: 'FAILED' }),
      request({ request_id: 'r6', name: 'sky.down' }),
    ]);
    const parsed = parseActiveLaunches(text);
    expect(parsed.ok && parsed.value.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });

  test('one request that cannot be read makes the list unknown: it may be the launch', () => {
    expect(parseActiveLaunches(pretty([request({}), { name: 'sky.launch' }])).ok).toBe(false);
  });

  test('a launch that does not say what it launches is kept as such', () => {
    const parsed = parseActiveLaunches(pretty([request({ cluster_name: null })]));
    expect(parsed.ok && parsed.value).toMatchObject([{ id: 'r1', status: 'RUNNING', cluster: null }]);
  });

  test('an empty list of a client without a server says nothing', () => {
    expect(parseActiveLaunches('SkyPilot API server is not running.\n[]\n').ok).toBe(false);
  });

  test('what 0.14.1 prints before and inside the list does not matter', () => {
    const real = {
      request_id: '72e69bab-cd4c-4b8c-9038-da90e1e9ec29',
      name: 'sky.launch',
      entrypoint: '',
      request_body: 'null',
      status: 'RUNNING',
      created_at: 1795983289.1680923,
      user_id: '0badcafe',
      schedule_type: 'long',
      user_name: 'davit',
      cluster_name: 'dv-a',
      status_msg: null,
      should_retry: false,
      finished_at: null,
    };
    const daemon = { ...real, request_id: 'volume-daemon', name: 'sky.volume-refresh', cluster_name: null };
    const text = `The flag is ignored because the server does not support it yet.\n${pretty([daemon, real])}`;
    const parsed = parseActiveLaunches(text);
    expect(parsed.ok && parsed.value).toMatchObject([{ id: real.request_id, status: 'RUNNING', cluster: 'dv-a' }]);
  });

  test('the id of a launch is found among colours', () => {
    const id = '3f0c1e0e-8d0b-4c58-9a55-0b8f5f0a2c11';
    expect(parseLaunchId(`YAML to run: f.yaml\n${ESC}[33mSubmitted sky.launch request:${ESC}[0m ${id}\n`)).toBe(id);
    expect(parseLaunchId(`Check logs with: sky api logs ${id.slice(0, 8)}`)).toBeUndefined();
  });
});

describe('endpoints', () => {
  test.each([
    ['10.0.0.1:31544', 'http://10.0.0.1:31544'],
    ['http://h.example/skypilot/default/dv-a/8000/', 'http://h.example/skypilot/default/dv-a/8000'],
    ['https://h.example', 'https://h.example'],
    [`${ESC}[33mA newer version is available.${ESC}[0m\n213.173.1.2:8001\n`, 'http://213.173.1.2:8001'],
    ['[2001:db8::1]:8000', 'http://[2001:db8::1]:8000'],
  ])('%j is %s', (text, url) => expect(parseEndpoint(text)).toBe(url));

  test.each(['', 'None', 'pending', '8000', 'Port 8000 is not exposed yet', 'host:99999999'])('%j is none', (text) =>
    expect(parseEndpoint(text)).toBeUndefined(),
  );
});

test('a list begins on a line of its own', () => expect(jsonArray('x []\n').ok).toBe(false));
