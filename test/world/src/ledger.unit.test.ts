import { describe, expect, it } from '@jest/globals';
import { Ledger } from './ledger.js';
import { ManualClock } from './manual-clock.js';

const machine = (id: string, pricePerHour = 3.6) => ({
  id,
  name: `machine-${id}`,
  cloud: 'runpod',
  region: 'EU-RO-1',
  accelerator: 'L4',
  gpuCount: 1,
  pricePerHour,
  owner: 'sky:ic-one',
});

describe('the ledger', () => {
  it('bills from creation to the end, to now while the machine runs, and never after', async () => {
    const clock = new ManualClock();
    const ledger = new Ledger(clock);
    ledger.open(machine('a'));
    await clock.advance(10_000);
    expect(ledger.billedSeconds('a')).toBeCloseTo(10);
    ledger.close('a', 'gone');
    await clock.advance(10_000);
    ledger.close('a', 'again');
    expect(ledger.report()).toMatchObject({ running: 0, everCreated: 1, machines: [{ endReason: 'gone' }] });
    expect(ledger.billedSeconds()).toBeCloseTo(10);
    expect(ledger.cost()).toBeCloseTo(0.01);
  });

  it('counts no seconds at rate zero and adds up several rates', async () => {
    const clock = new ManualClock();
    const ledger = new Ledger(clock);
    ledger.open(machine('a'));
    await clock.advance(1_000);
    ledger.reprice('a', 0);
    await clock.advance(5_000);
    ledger.reprice('a', 7.2);
    await clock.advance(1_000);
    expect(ledger.billedSeconds()).toBeCloseTo(2);
    expect(ledger.cost()).toBeCloseTo(0.003);
    expect(ledger.running()).toHaveLength(1);
  });
});
