import type { Placement } from '@davit/contracts';
import { VirtualClock } from '@davit/ports';
import { describe, expect, it } from '@jest/globals';
import { type StockAdvisor, adviceOf, unknownBecause } from '../advisors/advisor.js';
import { cachedAdvisor } from './cached-advisor.js';
import { QuestionGate, retryAfterMs } from './question-gate.js';

const placement: Placement = {
  cloud: 'runpod',
  region: null,
  accelerator: { name: 'L4', count: 1 },
  spot: false,
  maxHourlyPrice: null,
};

describe('the gate before a provider', () => {
  it('closes for as long as the provider asks', async () => {
    const clock = new VirtualClock();
    const gate = new QuestionGate(clock);
    gate.limited('7');
    expect(gate.closed()).toContain('rate limit');
    await clock.advance(6_999);
    expect(gate.closed()).toBeDefined();
    await clock.advance(1);
    expect(gate.closed()).toBeUndefined();
  });

  it('closes after several outages in a row, and after one more once it has rested', async () => {
    const clock = new VirtualClock();
    const gate = new QuestionGate(clock, { outagesToOpen: 3, restMs: 1_000 });
    gate.failed();
    gate.failed();
    expect(gate.closed()).toBeUndefined();
    gate.failed();
    expect(gate.closed()).toContain('in a row failed');
    await clock.advance(1_000);
    expect(gate.closed()).toBeUndefined();
    gate.failed();
    expect(gate.closed()).toBeDefined();
  });

  it('forgets outages once an answer came', () => {
    const gate = new QuestionGate(new VirtualClock(), { outagesToOpen: 2, restMs: 1_000 });
    gate.failed();
    gate.answered();
    gate.failed();
    expect(gate.closed()).toBeUndefined();
  });

  it('reads Retry-After as seconds or as a date, and bounds it', () => {
    const nowMs = Date.UTC(2026, 0, 1);
    expect(retryAfterMs('12', nowMs)).toBe(12_000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:30 GMT', nowMs)).toBe(30_000);
    expect(retryAfterMs('999999999', nowMs)).toBe(3_600_000);
    expect(retryAfterMs('soon', nowMs)).toBeUndefined();
    expect(retryAfterMs(undefined, nowMs)).toBeUndefined();
  });
});

describe('answers kept for a moment', () => {
  const counting = (clock: VirtualClock) => {
    let questions = 0;
    const advisor: StockAdvisor = {
      source: 'test',
      advise: () =>
        new Promise((resolve) => {
          questions += 1;
          clock.schedule(100, () => resolve(adviceOf(unknownBecause('x'), 'test', clock.nowMs(), 1_000)));
        }),
    };
    return { advisor: cachedAdvisor(advisor, clock, 20_000), questions: () => questions };
  };

  it('let any number of equal questions at once cost one', async () => {
    const clock = new VirtualClock();
    const { advisor, questions } = counting(clock);
    const both = Promise.all([advisor.advise(placement), advisor.advise({ ...placement, maxHourlyPrice: '3' })]);
    await clock.advance(100);
    const [first, second] = await both;
    expect(second).toEqual(first);
    expect(questions()).toBe(1);
  });

  it('keep the time of their observation, and are asked for again when they are old', async () => {
    const clock = new VirtualClock();
    const { advisor, questions } = counting(clock);
    const first = advisor.advise(placement);
    await clock.advance(100);
    await clock.advance(19_999);
    expect((await advisor.advise(placement)).signal.observedAt).toBe((await first).signal.observedAt);
    await clock.advance(1);
    void advisor.advise(placement);
    expect(questions()).toBe(2);
  });

  it('are not shared by different places', () => {
    const { advisor, questions } = counting(new VirtualClock());
    void advisor.advise(placement);
    void advisor.advise({ ...placement, region: 'RO' });
    expect(questions()).toBe(2);
  });
});
