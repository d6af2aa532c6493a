import type { Placement } from '@davit/contracts';
import { judgePrice } from '@davit/domain';
import { type LogFields, type Logger, VirtualClock, isoTime, silentLogger } from '@davit/ports';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PriceFiles } from './files.js';
import { operatorTable } from './operator-table.js';
import type { PriceSource } from './source.js';

const placement = (changes: Partial<Placement> = {}): Placement => ({
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L40S', count: 2 },
  spot: false,
  maxHourlyPrice: null,
  ...changes,
});
const row = (changes: object = {}) => ({
  cloud: 'runpod',
  accelerator: 'L40S',
  market: 'on-demand',
  amount: '0.79',
  currency: 'USD',
  unit: 'gpu-hour',
  storage: 'excluded',
  ...changes,
});

describe('prices of the operator’s table', () => {
  let clock: VirtualClock;
  let content: string | undefined;
  let version: number;
  let told: string[];
  let source: PriceSource;
  const files: PriceFiles = {
    stamp: () => Promise.resolve(content === undefined ? undefined : String(version)),
    text: () => Promise.resolve(content ?? ''),
    async *chunks() {
      await Promise.reject(new Error('not a large file'));
    },
  };
  const write = async (...rows: readonly object[]): Promise<void> => {
    await put(JSON.stringify({ prices: rows }));
  };
  const put = async (text: string | undefined): Promise<void> => {
    content = text;
    version += 1;
    await clock.advance(5_000);
  };
  const amount = async (changes: Partial<Placement> = {}) =>
    (await source.pricesOf(placement(changes))).map((price) => price.amount);

  beforeEach(() => {
    clock = new VirtualClock();
    content = undefined;
    version = 0;
    told = [];
    const logger: Logger = { ...silentLogger, error: (fields: LogFields) => void told.push(String(fields['problem'])) };
    source = operatorTable('/prices.yaml', { files, clock, logger });
  });

  it('are of the operator, for the market and the unit that the row names', async () => {
    await write(row());
    expect(await source.pricesOf(placement())).toEqual([
      {
        amount: '0.79',
        currency: 'USD',
        unit: 'gpu-hour',
        kind: 'catalogue',
        source: 'operator',
        observedAt: isoTime(clock.nowMs()),
        market: 'on-demand',
        storage: 'excluded',
      },
    ]);
    expect(await amount({ spot: true })).toEqual([]);
    expect(await amount({ cloud: 'vast' })).toEqual([]);
    expect(await amount({ accelerator: null })).toEqual([]);
  });

  it('are of the most exact row: region before number of GPUs, and a row of a region says nothing of everywhere', async () => {
    await write(row(), row({ count: 2, amount: '0.70' }), row({ region: 'RO', amount: '0.60' }));
    expect(await amount()).toEqual(['0.70']);
    expect(await amount({ accelerator: { name: 'L40S', count: 1 } })).toEqual(['0.79']);
    expect(await amount({ region: 'RO' })).toEqual(['0.60']);
    await write(row({ region: 'RO' }));
    expect(await amount()).toEqual([]);
  });

  it('are those of a changed file within seconds, without a restart', async () => {
    await write(row());
    expect(await amount()).toEqual(['0.79']);
    await write(row({ amount: '0.81' }));
    expect(await amount()).toEqual(['0.81']);
  });

  it('are those of the last good file while a new one is broken or gone, which is told once, and go stale', async () => {
    await write(row());
    const [before] = await source.pricesOf(placement());
    for (const broken of [JSON.stringify({ prices: [row({ amount: '-1' })] }), '{', undefined]) {
      await put(broken);
      expect(await source.pricesOf(placement())).toEqual([before]);
      await clock.advance(60_000);
      await source.pricesOf(placement());
    }
    expect(told).toEqual([
      expect.stringContaining('prices[0].amount "-1" is not an amount. Write at most 12 digits'),
      expect.stringContaining('is not YAML'),
      'there is no file /prices.yaml',
    ]);
    await clock.advance(24 * 3_600_000);
    const [late] = await source.pricesOf(placement());
    expect(judgePrice(late, clock.nowMs()).status).toBe('stale');
    await write(row({ amount: '0.82' }));
    expect(await amount()).toEqual(['0.82']);
  });

  it('stay fresh for as long as the file stands', async () => {
    await write(row());
    await source.pricesOf(placement());
    await clock.advance(48 * 3_600_000);
    const [price] = await source.pricesOf(placement());
    expect(judgePrice(price, clock.nowMs()).status).toBe('fresh');
  });

  it('are guaranteed until the row says, and an estimate from then on', async () => {
    await write(row({ guaranteedUntil: isoTime(clock.nowMs() + 3_600_000) }));
    expect(await source.pricesOf(placement())).toMatchObject([{ guaranteedUntil: expect.any(String) }]);
    await clock.advance(3_600_000);
    const [after] = await source.pricesOf(placement());
    expect(after).not.toHaveProperty('guaranteedUntil');
    expect(judgePrice(after, clock.nowMs()).status).toBe('fresh');
  });

  it('are guaranteed by nobody a day after the table went, whatever it promised', async () => {
    await write(row({ guaranteedUntil: isoTime(clock.nowMs() + 90 * 24 * 3_600_000) }));
    await source.pricesOf(placement());
    await put(undefined);
    await clock.advance(24 * 3_600_000);
    const [price] = await source.pricesOf(placement());
    expect(price).not.toHaveProperty('guaranteedUntil');
    expect(judgePrice(price, clock.nowMs()).status).toBe('stale');
  });

  it('say what is wrong with the table to whoever asks, until it is mended', async () => {
    expect(await source.fault?.()).toMatch(/\/prices\.yaml cannot be used, none is in force: there is no file/);
    await write(row());
    expect(await source.fault?.()).toBeUndefined();
    const goodAt = isoTime(clock.nowMs());
    await put('{');
    expect(await source.fault?.()).toContain(`the one of ${goodAt} is in force until it goes stale: `);
    await write(row({ amount: '0.82' }));
    expect(await source.fault?.()).toBeUndefined();
  });

  it('are none, and the reason is told, where the file never could be used', async () => {
    expect(await amount()).toEqual([]);
    expect(told).toEqual(['there is no file /prices.yaml']);
  });
});
