import { afterEach, describe, expect, test } from '@jest/globals';
import type { WhatIfView } from '@davit/contracts';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const at = (minute: number): string => new Date(Date.UTC(2026, 8, 1, 16, minute)).toISOString();
const usd = (amount: string, unpricedMs = 0) => ({ amounts: [{ currency: 'USD', amount }], unpricedMs, billing: 1 });
const VIEW: WhatIfView = {
  from: at(0),
  to: at(59),
  against: 'default/qwen',
  slots: [
    {
      ordinal: 0,
      divergedAt: 17,
      decisions: [
        {
          outcome: 'placed',
          offer: 'vast:*:L40S:1',
          rung: 1,
          reason: 'best by cost',
          at: at(2),
          position: 17,
          price: null,
          candidates: [
            {
              offer: 'runpod:*:L40S:1',
              rung: 0,
              verdict: 'rejected',
              reason: 'no stock, said by runpod-v2 4 s ago',
              state: 'unavailable',
              ageMs: 4_000,
              price: null,
            },
          ],
          real: {
            outcome: 'waits',
            offer: null,
            rung: null,
            reason: 'no stock',
            replica: 'default/qwen-1-0-1',
            position: 17,
          },
        },
      ],
      waits: [{ from: at(0), to: at(2), reason: 'runpod:*:L40S:1: no stock' }],
      falls: [{ at: at(9), position: 30, offer: 'vast:*:L40S:1', because: 'default/x-1-0-1 was refused there' }],
      machines: [{ offer: 'vast:*:L40S:1', from: at(2), to: at(9), readyAt: at(7), readyBy: 'assumed', price: null }],
      cost: usd('0.050000', 120_000),
    },
  ],
  compared: 3,
  differences: 1,
  cost: usd('0.050000', 120_000),
  realCost: usd('0.860000'),
  notWanted: ['default/qwen-1-1-1'],
  rules: ['What serves is taken to serve.'],
  notes: [],
  read: { events: 40, fromPosition: 1, upTo: 40 },
};

describe('davit whatif', () => {
  test('shows decisions, waits, falls and machines in the order of time, and both costs', async () => {
    api = await answering({ 'POST /v1/whatif': () => VIEW });
    expect(await run(['whatif', '--against', 'qwen', '--from', '2h', '--objective', 'cost', '--url', api.url])).toBe(0);
    const lines = printed.out().split('\n');
    const kinds = lines.flatMap((line) => /^ {2}2026\S+ \S+ {2}(\w+)/.exec(line)?.[1] ?? []);
    expect(kinds).toEqual(['waits', 'decides', 'runs', 'falls']);
    expect(printed.out()).toContain(
      'replica 0, goes its own way from position 17 on: 0.050000 USD and 2m at an unknown price',
    );
    expect(printed.out()).toMatch(
      /\n {8}really waits \(default\/qwen-1-0-1, position 17\); best by cost; not runpod:\*:L40S:1/,
    );
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(printed.out()).toContain('1 of 3 would have been others');
    expect(printed.out()).toContain('really 0.860000 USD');
    expect(printed.out()).toContain('not wanted  default/qwen-1-1-1');
  });
  test('under --json is the answer as it is', async () => {
    api = await answering({ 'POST /v1/whatif': () => VIEW });
    expect(await run(['whatif', '--against', 'qwen', '--json', '--url', api.url])).toBe(0);
    expect(JSON.parse(printed.out())).toEqual(VIEW);
  });
  test('of nothing is told what to write', async () => {
    expect(await run(['whatif'])).toBe(2);
    expect(printed.err()).toContain('write -f FILE');
  });
  test('by an objective that there is not is refused', async () => {
    expect(await run(['whatif', '--against', 'qwen', '--objective', 'luck'])).toBe(2);
  });
});
