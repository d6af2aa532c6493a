import { VirtualClock } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import type { CatalogueAnswer, CatalogueRow } from '../../prices/catalogue.js';
import { questionOf } from '../testing/golden.js';
import { catalogueHint } from './hint.js';

const READ_AT = '2026-11-30T00:00:00.000Z';

const row = (region: string): CatalogueRow => ({
  instanceType: 'gpu_1x_a10',
  accelerator: { name: 'A10', count: 1 },
  region,
  zone: null,
  onDemand: '0.75',
  spot: null,
  hostingType: null,
});

const listed = (...regions: readonly string[]): CatalogueAnswer => ({
  outcome: 'listed',
  listing: { rows: regions.map(row), regions, dearest: { onDemand: '0.75', spot: null } },
  readAt: READ_AT,
});

const hint = async (answer: CatalogueAnswer, region?: string) => {
  const clock = new VirtualClock();
  await clock.advance(5_000);
  const advisor = catalogueHint({ lookUp: () => Promise.resolve(answer) }, clock, 60_000);
  return advisor.advise(questionOf('lambda', { accelerator: 'A10:1', ...(region ? { region } : {}) }));
};

describe('the hint of a catalogue', () => {
  const readAt = READ_AT;

  it('law-04: is never stock, whatever the catalogue lists', async () => {
    expect(await hint(listed('us-east-1', 'us-west-2'))).toEqual({
      signal: expect.objectContaining({
        state: 'unknown',
        source: 'sky-catalogue',
        scope: 'none',
        level: 'listed',
        price: null,
        permanent: false,
        raw: { rows: '2', regions: 'us-east-1, us-west-2', 'read at': readAt },
        detail: expect.stringContaining('lists A10:1 on lambda: a static hint that says nothing of stock'),
      }),
    });
    const missing = await hint({ outcome: 'not-listed', readAt }, 'us-east-1');
    expect(missing.signal).toMatchObject({ state: 'unknown', level: 'not listed', permanent: false });
    expect(missing.signal.detail).toContain(
      'does not list A10:1 on lambda us-east-1, which may be a gap of the moment',
    );
  });

  it("is nobody's where there is no catalogue", async () => {
    const { signal, failure } = await hint({ outcome: 'no-catalogue', detail: 'x' });
    expect(signal).toMatchObject({ state: 'unknown', source: 'none', detail: 'there is no stock advisor for lambda' });
    expect(failure).toBeUndefined();
  });

  it('names a few regions of many', async () => {
    const regions = Array.from({ length: 9 }, (_, index) => `r${index}`);
    expect((await hint(listed(...regions))).signal.raw?.['regions']).toBe('r0, r1, r2, r3, r4 and 4 more');
  });
});
