import { afterEach, describe, expect, test } from '@jest/globals';
import type { DiffView, ReplayView } from '@davit/contracts';
import { instantOf, withAt } from '../instants.js';
import { livesOf, timelineText } from '../output/timeline.js';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const NOW = Date.parse('2026-11-30T17:00:00.000Z');
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 30, 16, minute)).toISOString();

describe('instants', () => {
  test.each([
    ['4711', '4711'],
    ['16:37', '2026-11-30T16:37:00.000Z'],
    ['2h', '2026-11-30T15:00:00.000Z'],
    ['now', '2026-11-30T17:00:00.000Z'],
    ['2026-11-29T08:00:00+01:00', '2026-11-29T07:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(instantOf(text, NOW)).toBe(instant);
  });

  test.each(['yesterday', '25:00', '2026-13-01', '-5', ''])('"%s" is refused with what would do', (text) => {
    expect(() => instantOf(text, NOW)).toThrow('is not an instant; write a position');
  });

  test('the word "at" before a command is the option of that name', () => {
    expect(withAt(['--json', '--url', 'x', 'at', '16:37', 'get', 'replicas'], ['--url'])).toEqual([
      '--json',
      '--url',
      'x',
      '--at',
      '16:37',
      'get',
      'replicas',
    ]);
    expect(withAt(['get', 'at'], [])).toEqual(['get', 'at']);
    expect(withAt(['at', '16:37'], [])).toEqual(['at', '16:37']);
  });
});

describe('looking back', () => {
  test('every question carries the instant', async () => {
    api = await answering({ 'GET /v1/routes': () => ({ position: 7, items: [] }) });
    expect(await run(['--url', api.url, 'at', '7', 'get', 'routes'])).toBe(0);
    expect(api.asked).toEqual(['GET /v1/routes?at=7']);
  });

  test('ages under a position are those of its time, which is asked for once', async () => {
    const since = at(30);
    const alarm = { alarm: 'blind', about: 'runpod', tenant: 'default', severity: 'warning', detail: 'x', since };
    const then = { position: 7, at: at(37) };
    api = await answering({
      'GET /v1/alarms': () => ({ position: 7, items: [{ ...alarm, position: 5 }] }),
      'GET /v1/diff': () => ({ from: then, to: then, items: [], costs: [], left: 0, events: 0 }),
    });
    expect(await run(['--url', api.url, 'at', '7', 'alarms'])).toBe(0);
    expect(printed.out()).toMatch(/blind +warning +7m/);
    expect(api.asked).toEqual(['GET /v1/alarms?at=7', 'GET /v1/diff?from=7&to=7&limit=1']);
  });

  test.each([
    ['alarms', '/v1/alarms'],
    ['rollouts', '/v1/rollouts'],
    ['budget get', '/v1/budgets'],
    ['get deployments', '/v1/deployments'],
    ['get replicas', '/v1/replicas'],
  ])('nobody is asked for the time where no age is told: %s --json', async (command, path) => {
    api = await answering({ [`GET ${path}`]: () => ({ position: 7, items: [], next: null }) });
    expect(await run(['--json', '--url', api.url, 'at', '7', ...command.split(' ')])).toBe(0);
    expect(printed.out()).toBe('[]\n');
    expect(api.asked).toEqual([expect.stringMatching(new RegExp(`^GET ${path}\\?.*at=7$`))]);
  });

  test('nothing is changed in the past', async () => {
    api = await answering({});
    expect(await run(['--url', api.url, 'at', '7', 'delete', 'qwen3-8b'])).toBe(2);
    expect(api.asked).toEqual([]);
    expect(printed.err()).toContain('the past is only looked at');
  });

  test('a difference names each field with the event that made it so', async () => {
    const view: DiffView = {
      from: { position: 10, at: at(0) },
      to: { position: 20, at: at(30) },
      items: [
        {
          ...{ kind: 'replica', name: 'default/qwen-1-0-1', tenant: 'default', deployment: 'default/qwen' },
          ...{ change: 'changed', position: 18 },
          fields: [
            {
              field: 'state',
              before: 'serving',
              after: 'deleting',
              by: {
                position: 18,
                type: 'davit.replica.delete-requested',
                at: at(20),
                source: '/davit/orchestrator',
                actor: 'ci',
              },
            },
          ],
        },
      ],
      costs: [
        {
          ...{ tenant: 'default', deployment: 'default/qwen', unpricedMs: 90_000, positions: [3] },
          spent: [{ currency: 'USD', amount: '0.40' }],
          hourlyBefore: [{ currency: 'USD', amount: '0.79' }],
          hourlyAfter: [],
        },
      ],
      left: 0,
      events: 10,
    };
    api = await answering({ 'GET /v1/diff': () => view });
    expect(await run(['--url', api.url, 'diff', '10', '20'])).toBe(0);
    expect(api.asked).toEqual(['GET /v1/diff?from=10&to=20']);
    expect(printed.out()).toContain('~ replica default/qwen-1-0-1  changed (18)');
    expect(printed.out()).toContain('state: serving → deleting   replica.delete-requested (18) by ci');
    expect(printed.out()).toContain(
      'spent 0.40 USD, an hour 0.79 USD → 0; 2 min of machines at a price that nobody said',
    );
  });

  test('a replay tells how many decisions would have been others, and why', async () => {
    const view: ReplayView = {
      ...{ from: { position: 0, at: at(0) }, to: { position: 20, at: at(30) }, deployment: null },
      kinds: [{ kind: 'placement', compared: 4, differing: 1 }],
      ...{ compared: 4, differing: 1, left: 0, notJudged: [], rules: [], events: 20 },
      differences: [
        {
          ...{ kind: 'placement', position: 12, type: 'davit.replica.placed', at: at(3), basis: 11 },
          about: { kind: 'replica', name: 'default/qwen-1-0-1' },
          was: { outcome: 'placed on runpod/L40S:1', reason: 'first of the ladder' },
          would: { outcome: 'placed on vast/L40S:1', reason: 'cheapest' },
          evidence: [{ name: 'price', value: '0.61 USD an hour' }],
          alternatives: [],
        },
      ],
    };
    api = await answering({ 'POST /v1/replay': () => view });
    const settings = ['placement.objective=readiness', 'budget=null', 'loss.share=0.5'];
    expect(await run(['--url', api.url, 'replay', '--from', '5', '--set', ...settings])).toBe(0);
    expect(JSON.parse(api.bodies[0] ?? '')).toEqual({
      from: '5',
      policy: { placement: { objective: 'readiness' }, budget: null, loss: { share: 0.5 } },
    });
    expect(printed.out()).toContain('would  placed on vast/L40S:1: cheapest');
    expect(printed.out()).toContain('1 of 4 decisions would have been others.');
  });

  test('a setting without a value is refused before anything is asked', async () => {
    api = await answering({});
    expect(await run(['--url', api.url, 'replay', '--set', 'placement'])).toBe(2);
    expect(api.asked).toEqual([]);
  });

  test('an export writes every event once, up to the end that the log had', async () => {
    const event = (position: number) => ({ position, time: at(0), type: 'davit.x', subject: 'x' });
    const pages: Readonly<Record<string, object>> = {
      0: { items: [event(1), event(2)], next: 2, head: 3 },
      2: { items: [event(3), event(4)], next: 4, head: 4 },
    };
    api = await answering({ 'GET /v1/events': (query) => pages[query.get('after') ?? ''] });
    expect(await run(['--url', api.url, 'export'])).toBe(0);
    const lines = printed.out().trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { position: number }).position)).toEqual([1, 2, 3]);
  });
});

describe('a timeline', () => {
  const event = (position: number, minute: number, name: string) => ({
    ...{ position, time: at(minute), type: `davit.replica.${name}`, subject: 'default/qwen-1-0-1' },
  });
  const events = [
    event(1, 0, 'requested'),
    event(2, 10, 'launch-requested'),
    event(3, 20, 'ready'),
    event(4, 50, 'delete-requested'),
    event(5, 55, 'deleted'),
  ];

  test('is the stretches of each life, the last one without an end', () => {
    const [life] = livesOf(events, NOW);
    expect(life?.spans.map(({ state, position }) => [state, position])).toEqual([
      ['waiting', 1],
      ['starting', 2],
      ['serving', 3],
      ['deleting', 4],
      ['gone', 5],
    ]);
    expect(life?.spans.at(-1)?.to).toBeNull();
  });

  test('is drawn to scale: an hour on sixty columns is a minute each', () => {
    const text = timelineText('default/qwen', livesOf(events, NOW), { nowMs: NOW, fromMs: undefined, width: 72 });
    const bar = text.split('\n')[2]?.slice('qwen-1-0-1  '.length);
    expect(bar).toBe(`${'·'.repeat(10)}${'░'.repeat(10)}${'█'.repeat(30)}${'-'.repeat(5)}`);
    expect(text).toContain('serving 30m (3)');
  });

  test('of a deployment without replicas says so', () => {
    const text = timelineText('default/qwen', [], { nowMs: NOW, fromMs: undefined, width: 80 });
    expect(text).toBe('default/qwen: no replica was ever asked for.');
  });
});

describe('completion', () => {
  const words = async (...written: readonly string[]): Promise<readonly string[]> => {
    expect(await run(['__complete', ...written])).toBe(0);
    return printed.out().trim().split('\n');
  };
  test('knows commands', async () => expect(await words('ti')).toEqual(['timeline']));
  test('knows commands of commands', async () => expect(await words('budget', '')).toEqual(['get', 'set', 'clear']));
  test('knows what may be got', async () => expect(await words('get', 'ro')).toEqual(['routes', 'rollouts']));
  test('knows options and what they may be', async () => {
    expect(await words('--js')).toEqual(['--json']);
  });
  test('knows the choices of an option', async () => {
    expect(await words('cost', '--by', 't')).toEqual(['tenant']);
  });
  test.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    expect(await run(['completion', shell])).toBe(0);
    expect(printed.out()).toContain('davit __complete');
  });
  test('of a shell that is not known is refused', async () => expect(await run(['completion', 'tcsh'])).toBe(2));
});
