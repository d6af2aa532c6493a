import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parsePriceTable } from './table.js';

const ROW = {
  cloud: 'runpod',
  accelerator: 'L40S',
  market: 'on-demand',
  amount: '0.79',
  currency: 'USD',
  unit: 'gpu-hour',
  storage: 'excluded',
};
const table = (...rows: readonly object[]): string => JSON.stringify({ prices: rows });
const problems = (text: string): readonly string[] => {
  const reading = parsePriceTable(text);
  return reading.ok ? [] : reading.problems.map(({ path, message, remedy }) => `${path}: ${message} ${remedy}`);
};

describe('the operator’s table of prices', () => {
  it('is YAML, and an amount is read as it was written, quoted or not', () => {
    const reading = parsePriceTable(`
# agreed in March
prices:
  - cloud: runpod
    region: RO
    accelerator: L40S
    count: 2
    market: on-demand
    amount: 0.10000
    currency: USD
    unit: instance-hour
    storage: included
    guaranteedUntil: 2027-01-31T00:00:00Z
`);
    expect(reading).toEqual({
      ok: true,
      rows: [
        {
          ...ROW,
          region: 'RO',
          count: 2,
          amount: '0.10000',
          unit: 'instance-hour',
          storage: 'included',
          guaranteedUntil: '2027-01-31T00:00:00Z',
        },
      ],
    });
  });

  it('is JSON as well, and numbers there never become floats', () => {
    const text = table({ ...ROW, amount: 'X' }).replace('"X"', '123456789012.000001');
    expect(parsePriceTable(text)).toMatchObject({ ok: true, rows: [{ amount: '123456789012.000001' }] });
  });

  it('names the row and the remedy of every mistake, and no row of a wrong table counts', () => {
    const wrong = [
      { ...ROW, amount: 'cheap' },
      { ...ROW, market: 'on demand', count: 1 },
      { ...ROW, curency: 'USD', count: 2 },
      { ...ROW, guaranteedUntil: '2027-01-31', count: 3 },
    ];
    expect(problems(table(...wrong, { ...ROW, count: 4 }))).toEqual([
      'prices[0].amount: "cheap" is not an amount Write at most 12 digits and 6 decimals, for example 0.86.',
      expect.stringMatching(
        /^prices\[1\]\.market: "on demand" is not one of .*on-demand, spot\. Did you mean "on-demand"/,
      ),
      expect.stringMatching(/^prices\[2\]\.curency: is not a known key Did you mean "currency"/),
      expect.stringMatching(/^prices\[3\]\.guaranteedUntil: "2027-01-31" is not an instant Write it in UTC/),
    ]);
  });

  it('refuses an accelerator that nobody knows, with names near to it', () =>
    expect(problems(table({ ...ROW, accelerator: 'L4OS' }))).toEqual([
      expect.stringMatching(/^prices\[0\]\.accelerator: runpod is not known to rent "L4OS".*L40S/),
    ]));

  it('refuses a price of GPUs without a GPU, and of an instance without its number of GPUs', () => {
    const cpu = Object.fromEntries(Object.entries(ROW).filter(([name]) => name !== 'accelerator'));
    expect(problems(table(cpu))).toEqual([expect.stringContaining('prices[0].unit: speaks of GPUs')]);
    expect(problems(table({ ...cpu, unit: 'instance-hour' }))).toEqual([]);
    expect(problems(table({ ...ROW, unit: 'instance-hour' }))).toEqual([
      expect.stringContaining('prices[0].count: is missing'),
    ]);
  });

  it('refuses two rows for the same, since their order would decide', () => {
    expect(problems(table(ROW, { ...ROW, region: 'RO' }, { ...ROW, amount: '0.80' }))).toEqual([
      'prices[2]: prices the same as prices[0] Keep one of the two.',
    ]);
  });

  it('is what the page for operators shows', () => {
    const page = readFileSync(new URL('../../../../docs/how-to/operate.md', import.meta.url), 'utf8');
    const shown = /```yaml\n(prices:[\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(parsePriceTable(shown)).toMatchObject({
      ok: true,
      rows: [{ amount: '0.79' }, { region: 'RO', amount: '1.50' }],
    });
  });

  it('says where a file is not YAML, and what it has to hold', () => {
    expect(problems('prices:\n  - cloud: "runpod\n')).toEqual([
      expect.stringMatching(/^: line \d+, column \d+: is not YAML/),
    ]);
    expect(problems('')).toHaveLength(1);
    expect(problems('[]')).toHaveLength(1);
  });
});
