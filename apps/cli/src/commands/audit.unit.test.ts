import { afterEach, describe, expect, test } from '@jest/globals';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

/** An alarm breaks no law, and a route that nothing proves breaks law 11. */
const event = (position: number, kind: 'alarm' | 'route'): object => ({
  specversion: '1.0',
  id: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
  source: '/davit/x',
  time: '2026-09-01T16:00:00.000Z',
  tenant: 'default',
  position,
  ...(kind === 'alarm'
    ? {
        type: 'davit.fleet.alarm-raised',
        dataschema: 'davit:fleet.alarm-raised:v1',
        subject: 'alarms',
        stream: 'fleet/alarms',
        version: position,
        data: { alarm: `a${position}`, severity: 'warning', about: 'x', detail: '' },
      }
    : {
        type: 'davit.route.registered',
        dataschema: 'davit:route.registered:v1',
        subject: 'default/qwen',
        stream: 'route/default/qwen',
        version: 1,
        data: {
          alias: 'default/qwen',
          snapshot: 1,
          target: {
            replica: 'default/qwen-1-0-1',
            deployment: 'default/qwen',
            revision: 1,
            url: 'http://h:1',
            model: 'qwen',
          },
        },
      }),
});

async function auditOf(log: readonly object[], ...options: string[]): Promise<number> {
  api = await answering({
    'GET /v1/events': (query) => {
      const after = Number(query.get('after'));
      return { items: log.slice(after, after + Number(query.get('limit'))), next: 0, head: log.length };
    },
  });
  return run(['audit', '--url', api.url, ...options]);
}
const alarms = (count: number): object[] => Array.from({ length: count }, (_, index) => event(index + 1, 'alarm'));

describe('an audit', () => {
  test('of a log that keeps the laws says how much was read, and ends with exit code 0', async () => {
    expect(await auditOf(alarms(3))).toBe(0);
    expect(printed.out()).toMatch(/^3 events against \d+ laws and rules: nothing found\n$/);
  });

  test('of an empty log finds nothing', async () => {
    expect(await auditOf([])).toBe(0);
  });

  test('cites the law and the position of what breaks it, and ends with a code of its own', async () => {
    expect(await auditOf([...alarms(2), event(3, 'route')])).toBe(6);
    expect(printed.out()).toMatch(/^ +3 {2}law-11-routes-follow-proof {2}default\/qwen-1-0-1: /m);
    expect(printed.err()).toContain('(exit 6)');
  });

  test('under --json is one object for each finding, and one for the whole', async () => {
    expect(await auditOf([event(1, 'route')], '--json')).toBe(6);
    const lines = printed
      .out()
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const finding = { law: 'law-11-routes-follow-proof', position: 1, evidence: expect.any(Array) };
    expect(lines).toContainEqual(expect.objectContaining(finding));
    expect(lines).toContainEqual(expect.objectContaining({ events: 1, findings: expect.any(Number) }));
  });

  test('reads a long log page by page, each once', async () => {
    expect(await auditOf([...alarms(2_500), event(2_501, 'route')])).toBe(6);
    expect(api?.asked.map((path) => /after=(\d+)/.exec(path)?.[1])).toEqual(['0', '1000', '2000']);
    expect(printed.out()).toContain('2501');
  });

  test('from a position on tells nothing of what is older', async () => {
    expect(await auditOf([event(1, 'route'), ...alarms(3).slice(1)], '--from', '2')).toBe(0);
    expect(printed.out()).toContain('told from position 2 on: nothing found');
  });

  test('stops at an event of a newer release, and says at which', async () => {
    const strange = { ...event(2, 'alarm'), type: 'davit.fleet.danced', dataschema: 'davit:fleet.danced:v1' };
    expect(await auditOf([event(1, 'alarm'), strange])).toBe(1);
    expect(printed.err()).toMatch(/davit\.fleet\.danced at position 2.*\n.*as new as the services/);
  });

  test.each(['0', '-1', 'x', '1e3'])('from %j is told what a position is', async (from) => {
    expect(await auditOf([], '--from', from)).toBe(2);
  });
});
