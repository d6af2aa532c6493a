import { expect, test } from '@jest/globals';
import { VirtualClock } from '@davit/ports';
import type { Leases } from '../event-log.js';
import { MemoryLeases } from '../memory/memory-leases.js';
import { Seniority } from './seniority.js';
import { Wakeup } from './wakeup.js';

test('without leases every relay works', async () => {
  expect(await new Seniority('LOG', 'a', undefined, new VirtualClock()).isLeading()).toBe(true);
});

test('one of two leads and keeps leading while it renews; the other takes over once it stops renewing', async () => {
  const clock = new VirtualClock();
  const leases = new MemoryLeases(clock);
  const [a, b] = ['a', 'b'].map((holder) => new Seniority('LOG', holder, leases, clock));
  for (let second = 0; second < 10; second++) {
    expect(await a?.isLeading()).toBe(true);
    expect(await b?.isLeading()).toBe(false);
    await clock.advance(1_000);
  }
  await clock.advance(2_000);
  expect(await b?.isLeading()).toBe(true);
  expect(await a?.isLeading()).toBe(false);
});

test('a leader does not wait for its renewal, and hears of a store that fails once its time is up', async () => {
  const clock = new VirtualClock();
  const leases = new MemoryLeases(clock);
  let answer: (value: undefined) => void = () => undefined;
  const slow = { ...bound(leases) };
  const leader = new Seniority('LOG', 'a', slow, clock);
  expect(await leader.isLeading()).toBe(true);
  await clock.advance(1_000);
  slow.acquire = () => new Promise((resolve) => (answer = resolve));
  expect(await leader.isLeading()).toBe(true);
  answer(undefined);
  await clock.advance(0);
  expect(await leader.isLeading()).toBe(false);
  await clock.advance(2_000);
  slow.acquire = () => Promise.reject(new Error('the store is away'));
  await expect(leader.isLeading()).rejects.toThrow('the store is away');
});

const bound = (leases: MemoryLeases): Leases => ({
  acquire: (...of) => leases.acquire(...of),
  release: (of) => leases.release(of),
  holds: (of) => leases.holds(of),
});

test('one that resigns makes way at once', async () => {
  const clock = new VirtualClock();
  const leases = new MemoryLeases(clock);
  const first = new Seniority('LOG', 'a', leases, clock);
  await first.isLeading();
  await first.resign();
  expect(await new Seniority('LOG', 'b', leases, clock).isLeading()).toBe(true);
});

test('a notice ends the wait under way, and one that came before ends the next at once', async () => {
  const clock = new VirtualClock();
  const wakeup = new Wakeup(clock);
  let waits = 0;
  const wait = (): void => void wakeup.wait(1_000).then(() => waits++);
  wait();
  wakeup.notify();
  await clock.advance(0);
  expect(waits).toBe(1);
  wakeup.notify();
  wakeup.notify();
  wait();
  await clock.advance(0);
  expect(waits).toBe(2);
  wait();
  await clock.advance(999);
  expect(waits).toBe(2);
  await clock.advance(1);
  expect(waits).toBe(3);
});
