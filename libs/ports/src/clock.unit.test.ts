import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { systemClock } from './clock.js';

const DAY_MS = 86_400_000;

describe('the system clock', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('waits longer than a timer of the platform can', () => {
    let rang = 0;
    systemClock.schedule(60 * DAY_MS, () => (rang += 1));
    jest.advanceTimersByTime(60 * DAY_MS - 1);
    expect(rang).toBe(0);
    jest.advanceTimersByTime(1);
    expect(rang).toBe(1);
  });

  it('leaves no timer behind when a long wait is cancelled on its way', () => {
    const cancel = systemClock.schedule(60 * DAY_MS, () => undefined);
    jest.advanceTimersByTime(40 * DAY_MS);
    cancel();
    expect(jest.getTimerCount()).toBe(0);
  });
});
