import { expect, test } from '@jest/globals';
import { limit } from './limit.js';
import { SharedLook } from './shared-look.js';

function looks() {
  const open: ((value: number) => void)[] = [];
  let nowMs = 1_000;
  const shared = new SharedLook(
    () => nowMs,
    () => new Promise<number>((resolve) => open.push(resolve)),
    (value) => value >= 0,
  );
  return { shared, open, at: (ms: number) => (nowMs = ms) };
}

test('askers at one moment share one look', async () => {
  const { shared, open } = looks();
  const both = Promise.all([shared.get(500), shared.get(500)]);
  expect(open).toHaveLength(1);
  open[0]?.(7);
  expect(await both).toEqual([7, 7]);
});

test('who asks for something new does not get a look that had begun before, and shares the next with others', async () => {
  const { shared, open, at } = looks();
  const old = shared.get(500);
  at(1_100);
  const fresh = Promise.all([shared.get(0), shared.get(0)]);
  open[0]?.(1);
  expect(await old).toBe(1);
  await new Promise(setImmediate);
  expect(open).toHaveLength(2);
  open[1]?.(2);
  expect(await fresh).toEqual([2, 2]);
});

test('a result serves until it is too old', async () => {
  const { shared, open, at } = looks();
  const first = shared.get(500);
  open[0]?.(1);
  await first;
  at(1_500);
  expect(await shared.get(500)).toBe(1);
  at(1_501);
  void shared.get(500);
  expect(open).toHaveLength(2);
});

test('a failed look is not kept for later askers', async () => {
  const { shared, open } = looks();
  const failed = shared.get(500);
  open[0]?.(-1);
  await failed;
  void shared.get(500);
  expect(open).toHaveLength(2);
});

test('no more tasks run at once than allowed, and all of them run', async () => {
  const slot = limit(2);
  let running = 0;
  let most = 0;
  const results = await Promise.all(
    [1, 2, 3, 4, 5].map((value) =>
      slot(async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running -= 1;
        return value;
      }),
    ),
  );
  expect(results).toEqual([1, 2, 3, 4, 5]);
  expect(most).toBe(2);
});

test('a task that fails gives its place to the next', async () => {
  const slot = limit(1);
  await expect(slot(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slot(() => Promise.resolve(1))).toBe(1);
});
