import { describe, expect, it } from '@jest/globals';
import { merge } from './merge.js';

async function* numbers(...values: readonly number[]): AsyncGenerator<number> {
  yield* values;
}

/** Yields what it is given when it is given it. */
function tap(): { readonly source: AsyncGenerator<number>; give(value: number): void; end(): void; asked: number } {
  let answer: (result: IteratorResult<number>) => void = () => undefined;
  const held = { asked: 0 };
  async function* source(): AsyncGenerator<number> {
    for (;;) {
      held.asked += 1;
      const result = await new Promise<IteratorResult<number>>((resolve) => (answer = resolve));
      if (result.done === true) return;
      yield result.value;
    }
  }
  return Object.assign(held, {
    source: source(),
    give: (value: number) => answer({ done: false, value }),
    end: () => answer({ done: true, value: undefined }),
  });
}

async function all(merged: AsyncGenerator<number>): Promise<readonly number[]> {
  const seen: number[] = [];
  for await (const value of merged) seen.push(value);
  return seen;
}

describe('several sources as one', () => {
  it('yields everything of each, in the order of each, and ends when all have', async () => {
    const seen = await all(merge([numbers(1, 2, 3), numbers(10, 20), numbers()]));
    expect(seen.filter((value) => value < 10)).toEqual([1, 2, 3]);
    expect(seen.filter((value) => value >= 10)).toEqual([10, 20]);
    expect(await all(merge<number>([]))).toEqual([]);
  });

  it('waits for no source that rests, and is asked for one item ahead of its reader at most', async () => {
    const [resting, busy] = [tap(), tap()];
    const merged = merge([resting.source, busy.source]);
    const first = merged.next();
    busy.give(1);
    expect((await first).value).toBe(1);
    expect(busy.asked).toBe(2);
    busy.give(2);
    await new Promise((resolve) => setImmediate(resolve));
    expect(busy.asked).toBe(2);
    expect((await merged.next()).value).toBe(2);
    const last = merged.next();
    busy.end();
    resting.end();
    expect(await last).toEqual({ done: true, value: undefined });
  });

  it('fails as the first source that fails does', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 1;
      throw new Error('broken');
    }
    await expect(all(merge([broken(), tap().source]))).rejects.toThrow('broken');
  });
});
