import { expect, test } from '@jest/globals';
import { KeyedTurns } from './keyed-turns.js';

/** Work that ends when told to, with a record of what began. */
function stage() {
  const began: string[] = [];
  const rested: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const turns = new KeyedTurns((key) => rested.push(key));
  const ask = (key: string, name: string): Promise<void> =>
    turns.take(key, () => {
      began.push(name);
      return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
    });
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { began, rested, ends, ask, settle };
}

test('work on one key is done one after the other in the order of asking, and other keys do not wait', async () => {
  const { began, rested, ends, ask, settle } = stage();
  const all = [ask('a', 'a1'), ask('a', 'a2'), ask('b', 'b1'), ask('a', 'a3')];
  await settle();
  expect(began).toEqual(['a1', 'b1']);
  for (const name of ['a1', 'a2', 'b1', 'a3']) {
    ends.get(name)?.resolve();
    await settle();
  }
  await Promise.all(all);
  expect(began).toEqual(['a1', 'b1', 'a2', 'a3']);
  expect(rested).toEqual(['b', 'a']);
});

test('work that fails tells who asked for it, and the next goes on', async () => {
  const { ends, ask, settle } = stage();
  const failing = ask('a', 'a1');
  const next = ask('a', 'a2');
  await settle();
  ends.get('a1')?.reject(new Error('refused'));
  await expect(failing).rejects.toThrow('refused');
  await settle();
  ends.get('a2')?.resolve();
  await next;
});
