import { afterEach, describe, expect, test } from '@jest/globals';
import type { CostRow, CostView } from '@davit/contracts';
import { run } from '../run.js';
import { type Answering, answering } from '../testing/answering.js';
import { collectOutput } from '../testing/printed.js';

const printed = collectOutput();
let api: Answering | undefined;
afterEach(() => api?.close());

const nothing = { confirmedMs: 0, heldMs: 0, takenBackMs: 0 };
const row = (change: Partial<CostRow>): CostRow => ({
  ...{ day: null, tenant: 'default', deployment: null, replica: null, figures: [], unpriced: nothing },
  ...{ machines: 1, unreadable: 0, orphans: 0, billing: 0, closed: true },
  evidence: { confirmed: { positions: [14], more: 0 }, held: { positions: [12, 14, 20, 31, 40], more: 3 } },
  ...change,
});
const usd = (held: string, takenBack = '0.000000') => {
  const amounts = { confirmed: '1.000000', held, takenBack };
  return { currency: 'USD', ...amounts, byKind: [{ kind: 'quoted', ...amounts }], deviation: null };
};

async function costOf(view: Partial<CostView>, ...argv: readonly string[]): Promise<string> {
  const total = row({ tenant: null });
  const whole = {
    from: '2026-11-01',
    to: '2026-11-30',
    by: 'deployment',
    rows: [],
    left: 0,
    total,
    position: 77,
    ...view,
  };
  api = await answering({ 'GET /v1/cost': () => whole });
  expect(await run(['cost', '--url', api.url, ...argv])).toBe(0);
  return printed.out();
}

describe('davit cost', () => {
  test('shows what is confirmed and what is held at most, with the first events that say so', async () => {
    const text = await costOf({ rows: [row({ deployment: 'default/qwen', figures: [usd('1.998333')], billing: 1 })] });
    expect(text).toMatch(/qwen +1\.00 USD +1\.998333 USD +– +1, 1 on +quoted\n +events 12, 14, 20, 31 \+4/);
    expect(text).toContain('2026-11-01 to 2026-11-30, days in UTC; at position 77');
  });

  test('law-04: what nobody priced is unknown, with its time, and never zero', async () => {
    const unpriced = { ...nothing, heldMs: 90 * 60_000 };
    const text = await costOf({ rows: [row({ deployment: 'default/qwen', unpriced })], total: row({ unpriced }) });
    expect(text).toMatch(/qwen +unknown +unknown +1h 30m/);
    expect(text).toContain('comes on top: it is not free');
  });

  test('tells kinds of price by their share, what was taken back, and how far the bill lies from the estimate', async () => {
    const amounts = { confirmed: '0.300000', takenBack: '0.000000' };
    const byKind = [
      { kind: 'billed', ...amounts, held: '7.500000' },
      { kind: 'quoted', ...amounts, held: '2.500000' },
    ];
    const deviation = { billed: '7.500000', estimate: '10.750000', percent: '-30.23 %' };
    const figures = [{ ...usd('10.000000', '1.250000'), byKind, deviation }];
    const text = await costOf({ rows: [row({ day: '2026-11-30', figures })], total: row({ figures }) });
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(text).toMatch(/2026-11-30 +1\.00 USD +10\.00 − 1\.25 USD .*billed 75 %, quoted 25 %/);
    expect(text).toContain('billed 7.50 USD where 10.75 was estimated: -30.23 %');
  });

  test('tells what nobody owns in a row of its own, and that no budget counts it', async () => {
    const orphaned = row({ orphans: 1, figures: [usd('4.500000')] });
    const text = await costOf({ rows: [orphaned], total: orphaned });
    expect(text).toMatch(/orphans of default +1\.00 USD +4\.50 USD/);
    expect(text).toContain('1 machine without an owner in the sums, and in no budget: davit orphans');
  });

  test('asks for what was asked for, and under --json prints the answer as it is', async () => {
    const text = await costOf({ by: 'day' }, '--by', 'day', '--tenant', 'search', '--from', '2026-11-01', '--json');
    expect(JSON.parse(text)).toMatchObject({ by: 'day', position: 77 });
    expect(api?.asked).toEqual([expect.stringMatching(/by=day/)]);
    expect(api?.asked[0]).toMatch(/tenant=search/);
    expect(api?.asked[0]).toMatch(/cited=10000/);
    expect(await run(['cost', '--by', 'hour'])).toBe(2);
  });
});
