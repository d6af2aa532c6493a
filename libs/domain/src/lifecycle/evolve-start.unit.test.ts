import { beforeEach, describe, expect, it } from '@jest/globals';
import type { EventData, HourlyPrice } from '@davit/contracts';
import { History } from '../testing/history.js';
import { Life } from '../testing/life.js';
import { type Meter, confirmedOn, describeSpent, heldOn, isBilling } from './meter.js';

const MINUTE = 60_000;

describe('the meter of a replica', () => {
  let history: History;
  let life: Life;
  const startMs = Date.UTC(2026, 0, 1);
  const at = (minutes: number): Life => {
    history.nowMs = startMs + minutes * MINUTE;
    return life;
  };
  const price = (amount: string, change: Partial<HourlyPrice> = {}): HourlyPrice => ({
    ...{ amount, currency: 'USD', unit: 'instance-hour', kind: 'quoted', source: 'test' },
    observedAt: new Date(history.nowMs).toISOString(),
    ...change,
  });
  const observed = (phase: EventData<'davit.resource.observed'>['phase'], billed: string | null = null): Life =>
    life.fact('observed', {
      ...{ phase, url: null, providerId: null, class: null, detail: '' },
      price: billed === null ? null : price(billed, { kind: 'billed', source: 'runpod-v2' }),
    });
  const meter = (): Meter => {
    const found = history.replica(life.id).meter;
    if (!found) throw new Error('there is no meter');
    return found;
  };
  const held = (): string => describeSpent(heldOn([meter()], 0, startMs + 600 * MINUTE));
  const confirmed = (): string => describeSpent(confirmedOn([meter()], 0, startMs + 600 * MINUTE));

  beforeEach(() => {
    history = new History(startMs);
    life = new Life(history);
    life.requested().replica('discovery-requested', { attempt: 1 }).discovered();
    const placed = { rung: 0, placement: null, adopted: false, price: price('6'), evidence: [] };
    life.replica('placed', placed).launchRequested();
  });

  it('is held from a launch whose answer was lost, and holds nothing once the launch turns out to have been refused', () => {
    at(1).fact('launch-unknown', { attempt: 1, detail: '' });
    expect(meter().since).toBe(new Date(startMs + MINUTE).toISOString());
    at(9).fact('launch-refused', { attempt: 1, class: 'capacity', detail: '' });
    expect(held()).toBe('nothing');
    expect(isBilling(meter())).toBe(false);
  });

  it('confirms nothing of a launch that never made a machine, though a record of it was seen', () => {
    at(0).launched();
    at(1);
    observed('provisioning');
    at(5);
    observed('failed');
    at(8).absent().absent().confirmed();
    expect(confirmed()).toBe('nothing');
    expect(held()).not.toBe('nothing');
  });

  it('confirms a machine from its first sight, or from its first line on the bill, to the first look that misses it', () => {
    at(0).launched();
    at(10);
    observed('provisioning', '12');
    at(20);
    observed('up', '12');
    at(40).absent();
    at(50).absent().confirmed();
    expect(confirmed()).toBe('6.0000 USD');
    // Six an hour until the provider said twelve.
    expect(Number.parseFloat(held())).toBeGreaterThan(8.9);
    expect(meter().rates.map(({ price: rate }) => [rate?.amount, rate?.kind, rate?.source])).toEqual([
      ['6', 'quoted', 'test'],
      ['12', 'billed', 'runpod-v2'],
    ]);
  });

  it('does not confirm the time in which it was stopped, nor what nobody saw of it before it came back', () => {
    at(0).launched();
    at(10).seen();
    at(20);
    observed('stopped');
    at(30).seen();
    at(40).absent().absent().confirmed();
    at(70).seen();
    expect(meter().until).toBeNull();
    at(100).absent().absent().confirmed();
    expect(confirmed()).toBe('5.0000 USD');
    expect(Number.parseFloat(held())).toBeGreaterThan(9.9);
  });

  it('goes on while the provider cannot be read: unknown is neither gone nor stopped', () => {
    at(0).launched();
    at(10).seen();
    at(20).seen('unknown');
    at(70).absent();
    expect(confirmed()).toBe('6.0000 USD');
  });

  it('cites an event for each of its figures', () => {
    at(0).launched();
    at(1).seen();
    at(2).absent().absent().confirmed();
    const { position, rates, seen, untilPosition } = meter();
    const typeAt = (place: number | null | undefined): string | undefined => history.events[(place ?? 0) - 1]?.type;
    expect(typeAt(position)).toBe('davit.resource.launch-accepted');
    expect(typeAt(rates[0].position)).toBe('davit.resource.launch-accepted');
    expect(typeAt(seen[0]?.fromPosition)).toBe('davit.resource.observed');
    expect(typeAt(seen[0]?.untilPosition)).toBe('davit.resource.absence-observed');
    expect(typeAt(untilPosition)).toBe('davit.resource.absence-confirmed');
  });
});
